// tensor/matrix.h: dense float32, row by row or in panels of columns.
//
// Rows start on 64-byte boundaries: stride is cols rounded up to 16, and the padding is zero. A
// kernel that works element by element may therefore treat the buffer as rows*stride floats, and a
// row kernel may read whole vectors. Whoever writes a row must leave its padding zero.
//
// A matrix whose rows are gathered again and again is kept in panels of kPanel columns, panel after
// panel, each row by row: a panel fits a cache that the whole matrix does not. In both layouts
//     element (i, j) is at data[j / kPanel * panel_step + i * row_step + j % kPanel].
#pragma once
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "base/error.h"
#include "base/types.h"
#include "tensor/buffer.h"

namespace scrl {

inline constexpr Index kLane = 16;   // floats in the widest vector
inline constexpr Index kPanel = 32;  // columns of a panel: two cache lines

enum class Layout { kRows, kPanels };
enum class Precision { kFloat32, kBf16 };  // of the rows that a sparse product gathers
constexpr Index gathered_bytes(Precision p) { return p == Precision::kBf16 ? 2 : 4; }  // per value

template <class T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) {}
  T* allocate(std::size_t n) {
    return static_cast<T*>(::operator new (n * sizeof(T), std::align_val_t{64}));
  }
  void deallocate(T* p, std::size_t) { ::operator delete (p, std::align_val_t{64}); }
  bool operator==(const AlignedAllocator&) const { return true; }
};

class Matrix {
 public:
  Matrix() = default;
  Matrix(Index rows, Index cols, Layout layout = Layout::kRows)
      : rows_(rows), cols_(cols), stride_((cols + kLane - 1) / kLane * kLane) {
    if (cols <= kPanel) layout = Layout::kRows;  // a single panel is rows, with their stride
    if (layout == Layout::kPanels) stride_ = (cols + kPanel - 1) / kPanel * kPanel;
    row_step_ = layout == Layout::kPanels ? kPanel : stride_;
    panel_step_ = layout == Layout::kPanels ? rows * kPanel : kPanel;
    check(rows >= 0 && cols >= 0, "matrix: negative size ", rows, "x", cols);
    data_ = Buffer(static_cast<std::size_t>(rows_ * stride_));
  }

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index stride() const { return stride_; }
  Index size() const { return rows_ * stride_; }  // floats in the buffer, padding included
  bool empty() const { return data_.empty(); }

  float* data() { return data_.data(); }
  const float* data() const { return data_.data(); }
  Layout layout() const { return row_step_ == stride_ ? Layout::kRows : Layout::kPanels; }
  Index row_step() const { return row_step_; }
  Index panel_step() const { return panel_step_; }

  // REQUIRES: layout() is kRows (a matrix of a single panel is both).
  float* row(Index i) { return data_.data() + row_offset(i); }
  const float* row(Index i) const { return data_.data() + row_offset(i); }
  // Element (i, j); the floats up to the next multiple of kLane columns follow it.
  float* at(Index i, Index j) { return data_.data() + offset(i, j); }
  const float* at(Index i, Index j) const { return data_.data() + offset(i, j); }
  float& operator()(Index i, Index j) { return *at(i, j); }
  float operator()(Index i, Index j) const { return *at(i, j); }
  std::span<float> row_span(Index i) { return {row(i), static_cast<std::size_t>(cols_)}; }
  std::span<const float> row_span(Index i) const {
    return {row(i), static_cast<std::size_t>(cols_)};
  }

  void fill(float value) {
    for_pieces([&](Index i, Index j, Index n) { std::fill_n(at(i, j), n, value); });
  }
  bool same_shape(const Matrix& other) const {
    return rows_ == other.rows_ && cols_ == other.cols_;
  }
  // The values without padding, row by row: what is hashed, stored and compared.
  std::vector<float> packed() const {
    std::vector<float> out(static_cast<std::size_t>(rows_ * cols_));
    copy_packed(out);
    return out;
  }
  void copy_packed(std::span<float> out) const {
    check(static_cast<Index>(out.size()) == rows_ * cols_, "matrix: ", rows_, "x", cols_, " has ",
          rows_ * cols_, " values, there is room for ", out.size());
    for_pieces(
        [&](Index i, Index j, Index n) { std::copy_n(at(i, j), n, out.data() + i * cols_ + j); });
  }
  void assign_packed(std::span<const float> values) {
    check(static_cast<Index>(values.size()) == rows_ * cols_, "matrix: ", rows_, "x", cols_,
          " needs ", rows_ * cols_, " values, got ", values.size());
    for_pieces([&](Index i, Index j, Index n) {
      std::copy_n(values.data() + i * cols_ + j, n, at(i, j));
    });
  }

 private:
  Index row_offset(Index i) const {
    check(layout() == Layout::kRows, "matrix: a whole row of a matrix in panels");
    return i * stride_;
  }
  Index offset(Index i, Index j) const {
    return j / kPanel * panel_step_ + i * row_step_ + j % kPanel;
  }
  // use(i, j, n) for every run of n elements from (i, j) on that lie side by side.
  template <class Use>
  void for_pieces(const Use& use) const {
    const Index width = layout() == Layout::kRows ? std::max<Index>(1, cols_) : kPanel;
    for (Index i = 0; i < rows_; ++i)
      for (Index j = 0; j < cols_; j += width) use(i, j, std::min(width, cols_ - j));
  }

  Index rows_ = 0, cols_ = 0, stride_ = 0, row_step_ = 0, panel_step_ = 0;
  Buffer data_;
};

}  // namespace scrl
