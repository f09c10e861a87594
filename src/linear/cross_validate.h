// linear/cross_validate.h: logistic regression whose C is chosen by cross-validation on the
// training labels alone.
//
// C is one of 2^-10, 2^-9, ..., 2^9: the one with the best accuracy, averaged over the folds, on
// rows that were held out; of equals the smallest. Rows are used as they are: a method that wants
// them of length 1 normalises Z (kernels::l2_normalize_rows) here and where it applies the head.
#pragma once
#include "linear/logistic.h"

namespace scrl {

inline constexpr int kFolds = 5;
inline constexpr int kCandidates = 20;
constexpr double candidate_C(int number) {  // 0 ... kCandidates - 1
  return number < 10 ? 1.0 / static_cast<double>(1 << (10 - number))
                     : static_cast<double>(1 << (number - 10));
}

// As many folds as the smallest class that occurs has labels, at most kFolds. 0 if that is below 2:
// there is nothing to compare then.
int fold_count(std::span<const std::int32_t> labels, Index classes);

// A fold from 0 to folds - 1 for each label. Classes are spread evenly, to within one label, and so
// are all labels together.
std::vector<std::int32_t> stratified_folds(std::span<const std::int32_t> labels, Index classes,
                                           int folds, std::uint64_t seed);

// For each candidate C: accuracy on held-out rows, averaged over the folds.
std::vector<double> cross_validate(const Matrix& Z, std::span<const NodeId> rows,
                                   std::span<const std::int32_t> labels, Index classes,
                                   std::span<const std::int32_t> folds);

// The best candidate; 1 if there is a class with a single label. The same for any number of
// threads. Throws as logistic_one_vs_rest does.
double choose_C(const Matrix& Z, std::span<const NodeId> rows, std::span<const std::int32_t> labels,
                Index classes, std::uint64_t seed);

// logistic_one_vs_rest on all rows with choose_C's choice.
LinearClassifier logistic_cv(const Matrix& Z, std::span<const NodeId> rows,
                             std::span<const std::int32_t> labels, Index classes,
                             std::uint64_t seed);

}  // namespace scrl
