// tensor/matrix.h: dense row-major float32.
//
// Rows start on 64-byte boundaries: stride is cols rounded up to 16, and the padding is zero. A
// kernel that works element by element may therefore treat the buffer as rows*stride floats, and a
// row kernel may read whole vectors. Whoever writes a row must leave its padding zero.
#pragma once
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "base/error.h"
#include "base/types.h"

namespace scrl {

inline constexpr Index kLane = 16;  // floats in the widest vector

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
  Matrix(Index rows, Index cols)
      : rows_(rows), cols_(cols), stride_((cols + kLane - 1) / kLane * kLane) {
    check(rows >= 0 && cols >= 0, "matrix: negative size ", rows, "x", cols);
    data_.assign(static_cast<std::size_t>(rows_ * stride_), 0.0f);
  }

  Index rows() const { return rows_; }
  Index cols() const { return cols_; }
  Index stride() const { return stride_; }
  Index size() const { return rows_ * stride_; }  // floats in the buffer, padding included
  bool empty() const { return data_.empty(); }

  float* data() { return data_.data(); }
  const float* data() const { return data_.data(); }
  float* row(Index i) { return data_.data() + i * stride_; }
  const float* row(Index i) const { return data_.data() + i * stride_; }
  float& operator()(Index i, Index j) { return row(i)[j]; }
  float operator()(Index i, Index j) const { return row(i)[j]; }
  std::span<float> row_span(Index i) { return {row(i), static_cast<std::size_t>(cols_)}; }
  std::span<const float> row_span(Index i) const {
    return {row(i), static_cast<std::size_t>(cols_)};
  }

  void fill(float value) {
    for (Index i = 0; i < rows_; ++i) std::fill_n(row(i), cols_, value);
  }
  bool same_shape(const Matrix& other) const {
    return rows_ == other.rows_ && cols_ == other.cols_;
  }
  // The values without padding, row by row: what is hashed, stored and compared.
  std::vector<float> packed() const {
    std::vector<float> out(static_cast<std::size_t>(rows_ * cols_));
    for (Index i = 0; i < rows_; ++i) std::copy_n(row(i), cols_, out.data() + i * cols_);
    return out;
  }
  void assign_packed(std::span<const float> values) {
    check(static_cast<Index>(values.size()) == rows_ * cols_, "matrix: ", rows_, "x", cols_,
          " needs ", rows_ * cols_, " values, got ", values.size());
    for (Index i = 0; i < rows_; ++i) std::copy_n(values.data() + i * cols_, cols_, row(i));
  }

 private:
  Index rows_ = 0, cols_ = 0, stride_ = 0;
  std::vector<float, AlignedAllocator<float>> data_;
};

}  // namespace scrl
