// models/class_likeness.h: what the labelled nodes tell of all others before anything is learned.
//
// Features averaged along walks differ in few directions, and those are what a graph is about. With
// U the M leading principal directions of A^t X, one for each class, every direction scaled to the
// same length and then every row,
//   likeness(i, c) = cos(u_i, mean of u_j over the labelled nodes j of class c)
// in [-1, 1]; 0 for a class without labelled nodes.
#pragma once
#include <cstdint>
#include <vector>

#include "autograd/ops.h"

namespace scrl {

// X (n,d), A (n,n), t = `walk`. Time and memory grow with what the operands store: A^t X is never
// formed.
Matrix class_likeness(const SparseOperand& X, const SparseOperand& A, int walk,
                      const std::vector<NodeId>& labelled, const std::vector<std::int32_t>& labels,
                      Index classes);

}  // namespace scrl
