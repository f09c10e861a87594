// kernels/grouped_gemm.h: a matrix per group of rows.
#pragma once
#include <span>
#include <vector>

#include "kernels/products.h"
#include "tensor/matrix.h"

namespace scrl::kernels {

// Rows in groups 0 to count() - 1; row i may be in none, which is written -1.
struct RowGroups {
  struct Chunk {
    Index group, begin, end;  // positions in rows
  };
  Index node_count = 0;
  std::vector<Index> first = {0};  // rows[first[g], first[g + 1]) is group g, ascending
  std::vector<NodeId> rows, outside;
  std::vector<Chunk> chunks;
  std::vector<Index> by_size;  // groups, the largest first
  Index count() const { return static_cast<Index>(first.size()) - 1; }
  std::span<const NodeId> members(Index g) const {
    return {rows.data() + first[g], static_cast<std::size_t>(first[g + 1] - first[g])};
  }
};
RowGroups row_groups(std::span<const std::int32_t> group_of_row, Index groups);
// out_i = x_i op(W_g), g the group of row i; zeros in none. W (count*h, m), matrix below matrix.
void grouped_gemm(const RowGroups& groups, const Matrix& x, Op tw, const Matrix& W, Matrix& out,
                  bool accumulate = false);
// dW_g = sum over the rows of g of x_i^T dout_i, in the order of their numbers.
void grouped_gemm_gradient(const RowGroups& groups, const Matrix& x, const Matrix& dout, Matrix& dW,
                           bool accumulate = false);

}  // namespace scrl::kernels
