#include "graph/laplacian.h"

#include <cmath>
#include <vector>

#include "base/error.h"
#include "base/rng.h"

namespace scrl {
namespace {

// scale * A with `diagonal` added to (or put on) the diagonal.
Csr with_diagonal(const Csr& A, double scale, double diagonal) {
  Csr out{.rows = A.rows, .cols = A.cols};
  out.row_ptr.resize(static_cast<std::size_t>(A.rows) + 1);
  for (Index i = 0; i < A.rows; ++i) {
    double on_diagonal = diagonal;
    bool placed = false;
    const auto place = [&] {
      out.col.push_back(static_cast<NodeId>(i));
      out.val.push_back(static_cast<float>(on_diagonal));
      placed = true;
    };
    for (Index e = A.row_ptr[i]; e < A.row_ptr[i + 1]; ++e) {
      if (A.col[e] == i) {
        on_diagonal += scale * A.val[e];
        continue;
      }
      if (A.col[e] > i && !placed) place();
      out.col.push_back(A.col[e]);
      out.val.push_back(static_cast<float>(scale * A.val[e]));
    }
    if (!placed) place();
    out.row_ptr[i + 1] = out.nnz();
  }
  return out;
}

}  // namespace

Csr symmetric_normalized(const Csr& A) {
  check(A.rows == A.cols, "laplacian: expected a square matrix, got ", A.rows, "x", A.cols);
  Csr neighbours = A;
  std::vector<double> scale(static_cast<std::size_t>(A.rows), 0.0);  // D^-1/2
  for (Index i = 0; i < A.rows; ++i) {
    double degree = 0;
    for (Index e = A.row_ptr[i]; e < A.row_ptr[i + 1]; ++e) {
      if (A.col[e] == i) neighbours.val[e] = 0;
      degree += neighbours.val[e];
    }
    if (degree > 0) scale[i] = 1 / std::sqrt(degree);
  }
  for (Index i = 0; i < A.rows; ++i)
    for (Index e = A.row_ptr[i]; e < A.row_ptr[i + 1]; ++e)
      neighbours.val[e] =
          static_cast<float>(scale[i] * neighbours.val[e] * scale[neighbours.col[e]]);
  return neighbours;
}

Csr laplacian(const Csr& A) { return with_diagonal(symmetric_normalized(A), -1.0, 1.0); }

double largest_eigenvalue(const Csr& L) {
  if (L.nnz() == 0) return 0;
  Rng rng(1, Purpose::kInit);
  std::vector<double> x(static_cast<std::size_t>(L.rows)), y(x.size());
  for (double& v : x) v = rng.uniform() - 0.5;
  double value = 0;
  for (int step = 0; step < 2000; ++step) {
    // The Rayleigh quotient x . L x / x . x, whose error is the square of that of x.
    double xx = 0, xy = 0, yy = 0;
    for (Index i = 0; i < L.rows; ++i) {
      double sum = 0;
      for (Index e = L.row_ptr[i]; e < L.row_ptr[i + 1]; ++e) sum += L.val[e] * x[L.col[e]];
      y[i] = sum;
      xx += x[i] * x[i], xy += x[i] * sum, yy += sum * sum;
    }
    if (yy == 0) return 0;
    const double next = xy / xx;
    if (std::abs(next - value) <= 1e-9 * next) return next;
    value = next;
    const double scale = 1 / std::sqrt(yy);
    for (Index i = 0; i < L.rows; ++i) x[i] = y[i] * scale;
  }
  return value;
}

Csr scaled_laplacian(const Csr& A, double* largest) {
  const Csr L = laplacian(A);
  const double lambda = largest_eigenvalue(L);
  if (largest) *largest = lambda;
  return with_diagonal(L, lambda > 0 ? 2 / lambda : 1.0, -1.0);
}

}  // namespace scrl
