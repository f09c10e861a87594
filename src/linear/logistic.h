// linear/logistic.h: a linear classifier on frozen embeddings, one logistic regression per class.
//
// For each class c, over the given rows with y = +1 where the label is c and -1 elsewhere:
//   min_w  1/2 |w|^2 + C sum_i log(1 + exp(-y_i w . (z_i, 1)))
// The bias is the weight of a constant 1 and is penalised like the others, as liblinear does. The
// class with the largest w . (z, 1), which is the one with the largest probability, is predicted.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/types.h"
#include "tensor/matrix.h"

namespace scrl {

// Scores of row z: z W + b.
struct LinearClassifier {
  Matrix W;  // (h,M)
  Matrix b;  // (1,M)
};

// Score of a class without a label among the training rows, whatever the row: its weights are 0 and
// this is its bias. No score of a class with labels is as low, so it is never predicted.
inline constexpr float kAbsentScore = -1e30f;

// labels[i] belongs to row rows[i] of Z. Solved in double until the gradient is 1e-7 of what it is
// at w = 0. Parallel over classes; the same bits for any number of threads.
// Throws kData if there are no rows or a label is not in [0, classes).
LinearClassifier logistic_one_vs_rest(const Matrix& Z, std::span<const NodeId> rows,
                                      std::span<const std::int32_t> labels, Index classes,
                                      double C);

// The class with the largest score for each of the rows, the smaller class on ties.
std::vector<std::int32_t> predict(const LinearClassifier& head, const Matrix& Z,
                                  std::span<const NodeId> rows);

namespace linear {
// How many rows have each class; throws as logistic_one_vs_rest does.
std::vector<Index> count_labels(std::span<const NodeId> rows, std::span<const std::int32_t> labels,
                                Index classes);
// The head of logistic_one_vs_rest, from rows made ready.
struct Features;
LinearClassifier fit(const Features& features, std::span<const std::int32_t> labels, Index classes,
                     double C);
}  // namespace linear

}  // namespace scrl
