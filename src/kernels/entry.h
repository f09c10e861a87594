// kernels/entry.h: what the checked entry of a kernel needs before it calls the compiled body:
// shape checks, chunks of rows, and scratch memory that outlives the call.
#pragma once
#include <algorithm>
#include <vector>

#include "base/error.h"
#include "base/parallel.h"
#include "base/per_thread.h"
#include "tensor/matrix.h"

namespace scrl::kernels {

// Rows per chunk so that a chunk is worth a thread's while and still fits the second-level cache.
inline Index row_grain(const Matrix& x) {
  constexpr Index kFloatsPerChunk = 16 * 1024;
  return std::max<Index>(1, kFloatsPerChunk / std::max<Index>(1, x.stride()));
}

inline void check_same_shape(const char* kernel, const char* name, const Matrix& x,
                             const char* other_name, const Matrix& other) {
  check(x.same_shape(other), kernel, ": ", name, " is ", x.rows(), "x", x.cols(), ", so ",
        other_name, " must be too, got ", other.rows(), "x", other.cols());
}

// For kernels that go through two buffers element by element.
inline void check_same_layout(const char* kernel, const Matrix& x, const Matrix& other) {
  check(x.layout() == other.layout(), kernel, ": one matrix is in panels, the other in rows");
}

inline void check_row_vector(const char* kernel, const char* name, const Matrix& x,
                             const char* vector_name, const Matrix& vector) {
  check(vector.rows() == 1 && vector.cols() == x.cols(), kernel, ": ", name, " is ", x.rows(), "x",
        x.cols(), ", so ", vector_name, " must be 1x", x.cols(), ", got ", vector.rows(), "x",
        vector.cols());
}

// At least `count` values, aligned, contents unspecified. One buffer per thread and Tag that only
// grows, so that a training loop allocates nothing after its first pass.
template <class T, class Tag>
T* scratch(Index count) {
  struct Buffer : std::vector<T, AlignedAllocator<T>> {};  // of this Tag
  Buffer& buffer = per_thread<Buffer>();
  if (static_cast<Index>(buffer.size()) < count) {
    buffer.clear();  // nothing to carry over
    buffer.resize(static_cast<std::size_t>(count));
  }
  return buffer.data();
}

}  // namespace scrl::kernels
