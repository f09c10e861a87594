// tensor/csr.h: compressed sparse rows, the native form of features and graphs.
//
// Invariants of every Csr that leaves a function: row_ptr has rows+1 ascending entries from 0 to
// nnz, columns of a row are ascending and distinct, values are finite.
#pragma once
#include <span>
#include <vector>

#include "base/types.h"

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

enum class Dup { kSum, kBinary };  // what repeated entries become: their sum, or 1

// From unordered (row, column, value) triplets; an empty `value` means 1 everywhere.
// REQUIRES: every row in [0, rows), every column in [0, cols).
Csr csr_from_triplets(Index rows, Index cols, std::span<const NodeId> row,
                      std::span<const NodeId> column, std::span<const float> value, Dup dup);

Csr transpose(const Csr& a);

// Throws scrl::Error naming `what` when an invariant is broken; for data from outside.
void validate(const Csr& a, const char* what);

}  // namespace scrl
