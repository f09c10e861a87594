// scrl/csr.h: compressed sparse rows, the native form of features and graphs.
//
// Invariants: row_ptr has rows+1 ascending entries from 0 to nnz, the columns of a row are
// ascending and distinct, values are finite.
#pragma once
#include <span>
#include <vector>

#include "scrl/types.h"

namespace scrl {

struct Csr {
  Index rows = 0, cols = 0;
  std::vector<Index> row_ptr = {0};
  std::vector<NodeId> col;
  std::vector<float> val;

  Index nnz() const { return static_cast<Index>(col.size()); }
  Index row_nnz(Index i) const { return row_ptr[i + 1] - row_ptr[i]; }
  std::span<const NodeId> row_cols(Index i) const {
    return {col.data() + row_ptr[i], static_cast<std::size_t>(row_nnz(i))};
  }
  std::span<const float> row_vals(Index i) const {
    return {val.data() + row_ptr[i], static_cast<std::size_t>(row_nnz(i))};
  }
};

}  // namespace scrl
