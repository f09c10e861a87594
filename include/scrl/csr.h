// scrl/csr.h: compressed sparse rows, the native form of features and graphs.
//
// Invariants: row_ptr has rows+1 ascending entries from 0 to nnz, the columns of a row are
// ascending and distinct, values are finite.
#pragma once
#include <cstddef>
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

// Whole numbers of 32 or 64 bits that belong to somebody else.
class IndexView {
 public:
  IndexView() = default;
  IndexView(std::span<const std::int32_t> values)  // NOLINT: meant to convert
      : narrow_(values.data()), size_(values.size()) {}
  IndexView(std::span<const std::int64_t> values)  // NOLINT: meant to convert
      : wide_(values.data()), size_(values.size()) {}

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Index operator[](std::size_t i) const { return wide_ ? wide_[i] : Index{narrow_[i]}; }

 private:
  const std::int32_t* narrow_ = nullptr;
  const std::int64_t* wide_ = nullptr;
  std::size_t size_ = 0;
};

// The same matrix in arrays that belong to somebody else, who keeps them alive and unchanged.
struct CsrView {
  Index rows = 0, cols = 0;
  IndexView row_ptr, col;
  std::span<const float> val;

  CsrView() = default;
  CsrView(Index rows_, Index cols_, IndexView row_ptr_, IndexView col_, std::span<const float> val_)
      : rows(rows_), cols(cols_), row_ptr(row_ptr_), col(col_), val(val_) {}
  CsrView(const Csr& a)  // NOLINT: meant to convert
      : rows(a.rows),
        cols(a.cols),
        row_ptr(std::span<const Index>(a.row_ptr)),
        col(std::span<const NodeId>(a.col)),
        val(a.val) {}

  Index nnz() const { return static_cast<Index>(val.size()); }
};

}  // namespace scrl
