#include "linear/cross_validate.h"

#include <algorithm>

#include "base/error.h"
#include "base/rng.h"
#include "linear/features.h"
#include "linear/newton.h"

namespace scrl {
namespace {

// Of the gradient. At 1e-4, accuracies for small C are off where rows have a large part in common.
constexpr double kTolerance = 1e-6;
constexpr double kEqual = 1e-9;  // accuracies closer than this are equal but for rounding

using linear::Features;

std::vector<double> accuracies(const Features& features, std::span<const std::int32_t> labels,
                               Index classes, std::span<const std::int32_t> folds) {
  const Index n = features.rows;
  check(static_cast<Index>(folds.size()) == n, "cross-validation: ", folds.size(), " folds for ", n,
        " rows");
  const Index fold_total = 1 + *std::max_element(folds.begin(), folds.end());
  check(*std::min_element(folds.begin(), folds.end()) >= 0, "cross-validation: a fold below 0");
  std::vector<double> size(static_cast<std::size_t>(fold_total));
  for (const std::int32_t f : folds) size[f] += 1;
  check(std::count(size.begin(), size.end(), 0.0) == 0, "cross-validation: a fold without rows");

  // One problem per class and fold, those of a class side by side: they take equally long.
  const Index total = classes * fold_total;
  std::vector<std::int8_t> signs(static_cast<std::size_t>(n * total));
  std::vector<std::int8_t> known(static_cast<std::size_t>(total));  // has a label outside the fold
  for (Index i = 0; i < n; ++i) {
    for (Index f = 0; f < fold_total; ++f) {
      if (f == folds[i]) continue;
      for (Index c = 0; c < classes; ++c)
        signs[i * total + c * fold_total + f] = c == labels[i] ? 1 : -1;
      known[labels[i] * fold_total + f] = 1;
    }
  }
  linear::LogisticProblems problems(features, signs, total);

  std::vector<double> out;
  for (int number = 0; number < kCandidates; ++number) {
    problems.solve(candidate_C(number), kTolerance);  // from the solution for half of this C
    std::vector<double> right(size.size());
    for (Index i = 0; i < n; ++i) {
      const Index f = folds[i];
      Index best = -1;
      for (Index c = 0; c < classes; ++c) {
        if (!known[c * fold_total + f]) continue;
        if (best < 0 ||
            problems.margin(i, c * fold_total + f) > problems.margin(i, best * fold_total + f))
          best = c;
      }
      right[f] += best == labels[i];
    }
    double sum = 0;
    for (std::size_t f = 0; f < size.size(); ++f) sum += right[f] / size[f];
    out.push_back(sum / static_cast<double>(fold_total));
  }
  return out;
}

double best_C(const Features& features, std::span<const std::int32_t> labels, Index classes,
              std::uint64_t seed) {
  const int count = fold_count(labels, classes);
  if (count == 0) return 1.0;
  const auto found =
      accuracies(features, labels, classes, stratified_folds(labels, classes, count, seed));
  int best = 0;
  for (int number = 1; number < kCandidates; ++number)
    if (found[number] > found[best] + kEqual) best = number;
  return candidate_C(best);
}

}  // namespace

int fold_count(std::span<const std::int32_t> labels, Index classes) {
  std::vector<Index> count(static_cast<std::size_t>(classes));
  for (const std::int32_t y : labels) ++count[y];
  Index smallest = kFolds;
  for (const Index c : count)
    if (c > 0) smallest = std::min(smallest, c);
  return smallest < 2 ? 0 : static_cast<int>(smallest);
}

std::vector<std::int32_t> stratified_folds(std::span<const std::int32_t> labels, Index classes,
                                           int folds, std::uint64_t seed) {
  check(folds >= 1, "cross-validation: ", folds, " folds");
  std::vector<std::int32_t> out(labels.size());
  std::int32_t next = 0;
  for (Index c = 0; c < classes; ++c) {
    std::vector<Index> members;
    for (std::size_t i = 0; i < labels.size(); ++i)
      if (labels[i] == c) members.push_back(static_cast<Index>(i));
    Rng(seed, Purpose::kFolds, static_cast<std::uint32_t>(c)).shuffle(std::span(members));
    for (const Index i : members) {
      out[i] = next;
      next = (next + 1) % folds;  // the next class goes on where this one ends
    }
  }
  return out;
}

std::vector<double> cross_validate(const Matrix& Z, std::span<const NodeId> rows,
                                   std::span<const std::int32_t> labels, Index classes,
                                   std::span<const std::int32_t> folds) {
  linear::count_labels(rows, labels, classes);
  return accuracies(linear::make_features(Z, rows), labels, classes, folds);
}

double choose_C(const Matrix& Z, std::span<const NodeId> rows, std::span<const std::int32_t> labels,
                Index classes, std::uint64_t seed) {
  linear::count_labels(rows, labels, classes);
  return best_C(linear::make_features(Z, rows), labels, classes, seed);
}

LinearClassifier logistic_cv(const Matrix& Z, std::span<const NodeId> rows,
                             std::span<const std::int32_t> labels, Index classes,
                             std::uint64_t seed) {
  linear::count_labels(rows, labels, classes);
  const Features features = linear::make_features(Z, rows);
  return linear::fit(features, labels, classes, best_C(features, labels, classes, seed));
}

}  // namespace scrl
