#include "train/label_rules.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "train/prepare.h"

namespace scrl {
namespace {

double evenness(std::span<const std::int32_t> labels, Index classes) {
  std::vector<double> of_class(static_cast<std::size_t>(classes), 1);
  for (const std::int32_t c : labels) ++of_class[static_cast<std::size_t>(c)];
  double sum = 0, inverse = 0;
  for (const double n : of_class) sum += n, inverse += 1 / n;
  const double M = static_cast<double>(classes);
  return M / inverse / (sum / M);
}

std::vector<std::int32_t> training_labels(const Dataset& data, const Split& split) {
  std::vector<std::int32_t> labels;
  for (const NodeId i : split.train) labels.push_back(data.labels[static_cast<std::size_t>(i)]);
  return labels;
}

bool little_is_known(const Dataset& data) {
  constexpr double kLittle = 64;
  const double features = static_cast<double>(data.features.nnz());
  return features / static_cast<double>(data.nodes) + mean_degree(data) < kLittle;
}

}  // namespace

LabelRules label_rules(const Dataset& data, const Split& split, bool exchanges_classes) {
  constexpr double kFewLabels = 20, kNodesPerLabel = 500;
  const std::vector<std::int32_t> labels = training_labels(data, split);
  const auto trust = [&](bool prototypes_vote) {
    return trust_in_consensus(labels, data.num_classes(), data.nodes, prototypes_vote);
  };
  const LabelRules by_labels_alone{
      .alpha = trust(false), .weight_decay = 1e-5, .feature_weight = 1};
  if (!exchanges_classes) return by_labels_alone;

  const double labelled = static_cast<double>(split.train.size());
  const double per_class = labelled / static_cast<double>(data.num_classes());
  const bool few = per_class < kFewLabels;
  const bool lost = kNodesPerLabel * labelled < static_cast<double>(data.nodes);
  LabelRules r{.row_length = row_length_for(data.features)};
  if (lost) {
    if (few) r.vote = 1, r.likeness = 0.6;
  } else if (few || little_is_known(data)) {
    const double s2 = std::clamp(r.row_length * r.row_length, 0.2, 1.0);
    r.vote = 1;
    r.dropout = 0.2, r.input_dropout = 0.8;
    r.epsilon = std::clamp(0.54 / per_class, 0.03, 0.05);
    r.weight_decay /= s2;
    r.lr *= std::sqrt(s2);
    r.k = std::max(r.k, static_cast<int>(std::lround(6 / s2)));
  }
  r.alpha = trust(r.vote > 0);
  const double e = evenness(labels, data.num_classes());
  const double e2 = std::round(1e4 * e * e) / 1e4;  // 1 to the bit for as many labels of each class
  for (double LabelRules::*rule : {&LabelRules::weight_decay, &LabelRules::feature_weight})
    r.*rule = e2 * r.*rule + (1 - e2) * by_labels_alone.*rule;
  return r;
}

double trust_in_consensus(std::span<const std::int32_t> labels, Index classes, Index nodes,
                          bool prototypes_vote) {
  const double e = evenness(labels, classes), M = static_cast<double>(classes);
  const double labelled = static_cast<double>(labels.size());
  const double percent = 100 * labelled / static_cast<double>(nodes);
  const double trust = prototypes_vote
                           ? std::max(0.15, std::min(std::clamp(5 * percent, 0.6, 2.0),
                                                     36 * labelled / std::pow(M, 3)))
                           : std::clamp(percent, std::clamp(5 * percent, 0.15, 0.5), 2.0);
  return e * e * trust;
}

}  // namespace scrl
