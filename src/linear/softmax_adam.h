// linear/softmax_adam.h: softmax regression by a fixed number of Adam steps, averaged over starts.
//
// The evaluator published with DGI (Velickovic et al., ICLR 2019): scores z W + b, W uniform in
// +-sqrt(6 / (h + M)), b zero, 100 steps of Adam with rate 0.01 on the mean cross-entropy of all
// rows, without weight decay. It reports the mean accuracy of 50 starts. We need one
// classifier and average W and b over the starts, which is the same as averaging their scores.
// A class without labels keeps a score here: descent lowers it, but nothing forbids it to win.
#pragma once
#include <cstdint>
#include <span>

#include "linear/logistic.h"

namespace scrl {

struct SoftmaxAdamOptions {
  int repeats = 50;
  int steps = 100;
  double lr = 0.01;
};

// labels[i] belongs to row rows[i] of Z. All starts are computed side by side: memory is
// O(repeats * classes * (rows + h)). The same bits for any number of threads.
// Throws kData if there are no rows or a label is not in [0, classes).
LinearClassifier softmax_adam(const Matrix& Z, std::span<const NodeId> rows,
                              std::span<const std::int32_t> labels, Index classes,
                              std::uint64_t seed, const SoftmaxAdamOptions& options = {});

// W of one start, before the first step: element (j,c) is number j * classes + c of
// Rng(seed, Purpose::kHead, repeat).
float softmax_adam_start(Index columns, Index classes, std::uint64_t seed, int repeat, Index j,
                         Index c);

}  // namespace scrl
