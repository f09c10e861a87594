#include "train/label_rules.h"

#include <algorithm>
#include <cmath>

#include "models/scrl.h"
#include "train/prepare.h"

namespace scrl {
namespace {

// e^2, 1 to the bit for as many labels of every class.
double squared_evenness(const Dataset& data, const Split& split) {
  std::vector<std::int32_t> labels;
  for (const NodeId i : split.train) labels.push_back(data.labels[static_cast<std::size_t>(i)]);
  const double e = evenness(labels, data.num_classes());
  return std::round(1e4 * e * e) / 1e4;
}

bool little_is_known(const Dataset& data) {
  constexpr double kLittle = 64;
  const double features = static_cast<double>(data.features.nnz());
  return features / static_cast<double>(data.nodes) + mean_degree(data) < kLittle;
}

}  // namespace

LabelRules label_rules(const Dataset& data, const Split& split, bool exchanges_classes) {
  constexpr double kFewLabels = 20, kNodesPerLabel = 500;
  const LabelRules by_labels_alone{.weight_decay = 1e-5, .feature_weight = 1};
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
  const double e2 = squared_evenness(data, split);
  for (double LabelRules::*rule : {&LabelRules::weight_decay, &LabelRules::feature_weight})
    r.*rule = e2 * r.*rule + (1 - e2) * by_labels_alone.*rule;
  return r;
}

}  // namespace scrl
