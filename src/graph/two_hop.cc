#include "graph/two_hop.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/parallel.h"

namespace scrl {
namespace {

constexpr Index kRowsPerChunk = 64;

Index degree(const Csr& A, Index i) { return A.row_ptr[i + 1] - A.row_ptr[i]; }

// sum of 1/D_k over the common neighbours k of i and j: the shorter list is looked up in the other.
double shared(const Csr& A, Index i, Index j) {
  if (degree(A, i) > degree(A, j)) std::swap(i, j);
  auto from = A.col.begin() + A.row_ptr[j];
  const auto end = A.col.begin() + A.row_ptr[j + 1];
  double sum = 0;
  for (Index e = A.row_ptr[i]; e < A.row_ptr[i + 1] && from != end; ++e) {
    from = std::lower_bound(from, end, A.col[e]);
    if (from != end && *from == A.col[e]) sum += 1.0 / static_cast<double>(degree(A, A.col[e]));
  }
  return sum;
}

// A + I without values.
Csr with_loops(const Csr& A) {
  Csr out{.rows = A.rows, .cols = A.cols};
  out.row_ptr.resize(static_cast<std::size_t>(A.rows) + 1);
  for (Index i = 0; i < A.rows; ++i) {
    const auto begin = A.col.begin() + A.row_ptr[i], end = A.col.begin() + A.row_ptr[i + 1];
    const auto after = std::lower_bound(begin, end, static_cast<NodeId>(i));
    out.col.insert(out.col.end(), begin, after);
    out.col.push_back(static_cast<NodeId>(i));
    out.col.insert(out.col.end(), after, end);
    out.row_ptr[i + 1] = static_cast<Index>(out.col.size());
  }
  out.val.resize(out.col.size());
  return out;
}

}  // namespace

Csr without_loops(const Csr& A) {
  check(A.rows == A.cols, "without_loops: expected a square matrix, got ", A.rows, "x", A.cols);
  Csr out{.rows = A.rows, .cols = A.cols};
  out.row_ptr.resize(static_cast<std::size_t>(A.rows) + 1);
  for (Index i = 0; i < A.rows; ++i) {
    for (Index e = A.row_ptr[i]; e < A.row_ptr[i + 1]; ++e)
      if (A.col[e] != i && A.val[e] != 0) out.col.push_back(A.col[e]);
    out.row_ptr[i + 1] = static_cast<Index>(out.col.size());
  }
  out.val.assign(out.col.size(), 1.0f);
  return out;
}

Csr sym_normalized_without_loops(const Csr& A) {
  Csr out = without_loops(A);
  for (Index i = 0; i < out.rows; ++i)
    for (Index e = out.row_ptr[i]; e < out.row_ptr[i + 1]; ++e)
      out.val[e] = static_cast<float>(1 / std::sqrt(static_cast<double>(degree(out, i)) *
                                                    static_cast<double>(degree(out, out.col[e]))));
  return out;
}

TwoHop two_hop(const Csr& A) {
  TwoHop out{.walk = without_loops(A)};
  Csr& walk = out.walk;
  out.rest = with_loops(walk);
  std::vector<double> removed(out.rest.col.size());  // B o (A + I)
  std::vector<double>& scale = out.scale;
  scale.assign(static_cast<std::size_t>(A.rows), 0.0);
  parallel_for(A.rows, kRowsPerChunk, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      // The rows of B sum to the degrees.
      double left = static_cast<double>(degree(walk, i));
      for (Index e = out.rest.row_ptr[i]; e < out.rest.row_ptr[i + 1]; ++e)
        left -= removed[e] = shared(walk, i, out.rest.col[e]);
      // What is left is at least 1/D of some node, or nothing but rounding.
      if (left > 0.5 / static_cast<double>(A.rows)) scale[i] = 1 / std::sqrt(left);
    }
  });
  for (Index i = 0; i < A.rows; ++i) {
    for (Index e = out.rest.row_ptr[i]; e < out.rest.row_ptr[i + 1]; ++e)
      out.rest.val[e] = static_cast<float>(-scale[i] * removed[e] * scale[out.rest.col[e]]);
    for (Index e = walk.row_ptr[i]; e < walk.row_ptr[i + 1]; ++e)
      walk.val[e] =
          static_cast<float>(scale[i] / std::sqrt(static_cast<double>(degree(walk, walk.col[e]))));
  }
  return out;
}

}  // namespace scrl
