// models/label_walks.h: what random walks from the labelled nodes tell of all others.
#pragma once
#include <cstdint>
#include <vector>

#include "autograd/ops.h"

namespace scrl {

// Walks start at the labelled nodes, follow the rows of A and begin anew with probability r = 0.02
// at each step. F_ic is how often those that started at class c come by node i:
//   F = sum_s r (1-r)^s (A^T)^s F_0          F_0 (n,M): 1 for the class of each labelled node
// The result is log F with rows scaled to sum 1, after a tenth of the mean of F has been added: a
// node that no walk reaches knows nothing, rather than everything at random.
// With a symmetric A the walkers are weighted, which changes little. None of `labels` may be below
// 0 or `classes` and above.
Matrix log_label_walks(const SparseOperand& A, const std::vector<NodeId>& labelled,
                       const std::vector<std::int32_t>& labels, Index classes);

}  // namespace scrl
