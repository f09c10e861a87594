// linear/stacking.h: weights of a log-linear pool, learned on labelled nodes that did not train the
// members (stacking).
//
//   log p_i = log softmax( sum_m w_m l_im )        l_im (M): log-probabilities of member m, node i
//   min_{w >= 0}  sum_i c_{y_i} NLL(p_i, y_i) + prior/2 sum_m (w_m - 1/K)^2      K members
//
// The problem is convex. Without nodes the weights are even, 1/K; with few they stay close to it.
// Their sum is not bound to 1: it is the inverse temperature that suits the held-out labels.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/types.h"
#include "tensor/matrix.h"

namespace scrl {

// A log-probability below counts as this: no member can veto a class for good.
inline constexpr float kLeastLogProb = -27.6f;  // 1e-12

// out = log softmax(sum_m weights_m max(members_m, kLeastLogProb)), row by row.
// REQUIRES: at least one member, all of the shape of `out`.
void pool_log_probs(std::span<const Matrix* const> members, std::span<const double> weights,
                    Matrix& out);

struct StackingOptions {
  double prior = 3;
  std::vector<double> class_weights;  // c, one per class; empty: all 1
};

// labels[i] belongs to row rows[i] of every member. The same bits for any number of threads.
std::vector<double> stack_weights(std::span<const Matrix* const> members,
                                  std::span<const NodeId> rows,
                                  std::span<const std::int32_t> labels,
                                  const StackingOptions& options = {});

}  // namespace scrl
