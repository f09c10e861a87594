// bench/kernels/inputs.h: matrices of the sizes met in training.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "base/rng.h"
#include "tensor/csr.h"
#include "tensor/matrix.h"

namespace scrl::bench {

inline constexpr Index kNodes = 7575, kEdges = 480000;           // a large benchmark graph
inline constexpr Index kAttributes = 12047, kNonZeros = 182000;  // and its features

inline Matrix random_matrix(Index rows, Index cols, std::uint64_t seed,
                            Layout layout = Layout::kRows) {
  Matrix m(rows, cols, layout);
  const Rng rng(seed);
  for (Index i = 0; i < rows; ++i) {
    for (Index j = 0; j < cols; ++j) {
      m(i, j) = rng.uniform_at(static_cast<std::uint64_t>(i * cols + j)) - 0.5f;
    }
  }
  return m;
}

// About nnz entries; columns are drawn with a preference for low numbers, as degrees are skewed.
inline Csr random_csr(Index rows, Index cols, Index nnz, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<NodeId> row(static_cast<std::size_t>(nnz)), column(row.size());
  for (std::size_t k = 0; k < row.size(); ++k) {
    row[k] = static_cast<NodeId>(rng.below(static_cast<std::uint64_t>(rows)));
    column[k] = static_cast<NodeId>(std::pow(rng.uniform(), 1.5) * static_cast<double>(cols));
  }
  return csr_from_triplets(rows, cols, row, column, {}, Dup::kBinary);
}

}  // namespace scrl::bench
