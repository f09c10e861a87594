#include "models/class_likeness.h"

#include <cmath>

#include "kernels/kernels.h"
#include "points/pca.h"

namespace scrl {
namespace {

// Y <- A^t Y
void walk_on(const Csr& A, int t, Matrix& Y) {
  Matrix next(Y.rows(), Y.cols());
  for (int step = 0; step < t; ++step) {
    kernels::spmm(A, Y, next);
    std::swap(Y, next);
  }
}

// Columns of length 1. One that is too short to be more than rounding becomes zero.
void equal_columns(Matrix& Y) {
  constexpr double kRounding = 1e-3;  // of the longest, which is the first
  std::vector<double> gram(static_cast<std::size_t>(Y.cols() * Y.cols()));
  kernels::gram(Y, Y, gram);
  Matrix scale(1, Y.cols());
  for (Index c = 0; c < Y.cols(); ++c) {
    const double length = std::sqrt(gram[static_cast<std::size_t>(c * Y.cols() + c)]);
    scale(0, c) = length > kRounding * std::sqrt(gram[0]) ? static_cast<float>(1 / length) : 0.0f;
  }
  kernels::map_columns(Y, {.scale = &scale}, Y);
}

}  // namespace

Matrix class_likeness(const SparseOperand& X, const SparseOperand& A, int walk,
                      const std::vector<NodeId>& labelled, const std::vector<std::int32_t>& labels,
                      Index classes) {
  const Index n = X.A.rows;
  LinearMap smoothed{.rows = n, .cols = X.A.cols};
  smoothed.onto = [&](const Matrix& V, Matrix& Y) {
    kernels::spmm(X.A, V, Y);
    walk_on(A.A, walk, Y);
    centre_columns(Y);
  };
  smoothed.back = [&](const Matrix& Y, Matrix& V) {
    Matrix walked(n, Y.cols());
    kernels::scale(1.0f, Y, walked);
    walk_on(A.At, walk, walked);
    kernels::spmm(X.At, walked, V);
  };
  Matrix U = principal_coordinates(smoothed, classes);
  equal_columns(U);
  std::vector<float> norms;
  kernels::l2_normalize_rows(U, U, norms);

  Matrix means(classes, U.cols());  // their lengths do not matter
  for (std::size_t e = 0; e < labelled.size(); ++e)
    for (Index j = 0; j < U.cols(); ++j) means(labels[e], j) += U(labelled[e], j);
  kernels::l2_normalize_rows(means, means, norms);
  Matrix likeness(n, classes);
  kernels::gemm(kernels::Op::kN, U, kernels::Op::kT, means, likeness);
  return likeness;
}

}  // namespace scrl
