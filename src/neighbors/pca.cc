#include "neighbors/pca.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

#include "base/error.h"
#include "base/rng.h"
#include "kernels/columns.h"
#include "kernels/products.h"
#include "kernels/reduce.h"
#include "neighbors/float_range.h"

namespace scrl {
namespace {

constexpr Index kSpare = 6;        // columns more than asked for: they speed convergence
constexpr double kSettled = 1e-5;  // relative change of the variances that ends the rounds

// Columns become orthonormal, one after the other; one that adds nothing becomes zero.
void orthonormalise(Matrix& V) {
  const Index n = V.rows(), q = V.cols();
  Matrix columns(q, n);  // each in one piece of memory: every pair of them is gone through
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < q; ++c) columns(c, i) = V(i, c);
  const auto dot = [n](const float* x, const float* y) {
    double sum = 0;
    for (Index i = 0; i < n; ++i) sum += double{x[i]} * y[i];
    return sum;
  };
  for (Index c = 0; c < q; ++c) {
    float* const x = columns.row(c);
    const double before = dot(x, x);
    for (int twice = 0; twice < 2; ++twice) {
      for (Index o = 0; o < c; ++o) {
        const float* const y = columns.row(o);
        const double along = dot(x, y);
        for (Index i = 0; i < n; ++i) x[i] = static_cast<float>(x[i] - along * y[i]);
      }
    }
    const double square = dot(x, x);
    const double factor = square > 1e-12 * before ? 1 / std::sqrt(square) : 0;
    for (Index i = 0; i < n; ++i) V(i, c) = x[i] = static_cast<float>(x[i] * factor);
  }
}

// Jacobi's rotations on a symmetric q x q matrix; columns of `vectors` become its eigenvectors.
void diagonalise(std::vector<double>& a, std::vector<double>& vectors, Index q) {
  vectors.assign(static_cast<std::size_t>(q * q), 0.0);
  for (Index i = 0; i < q; ++i) vectors[i * q + i] = 1;
  for (int sweep = 0; sweep < 30; ++sweep) {
    for (Index i = 0; i < q; ++i) {
      for (Index j = i + 1; j < q; ++j) {
        const double off = a[i * q + j];
        if (std::abs(off) <= 1e-15 * std::sqrt(std::abs(a[i * q + i] * a[j * q + j]))) continue;
        const double angle = 0.5 * std::atan2(2 * off, a[i * q + i] - a[j * q + j]);
        const double c = std::cos(angle), s = std::sin(angle);
        for (Index k = 0; k < q; ++k) {
          const double x = a[k * q + i], y = a[k * q + j];
          a[k * q + i] = c * x + s * y, a[k * q + j] = c * y - s * x;
          const double u = vectors[k * q + i], v = vectors[k * q + j];
          vectors[k * q + i] = c * u + s * v, vectors[k * q + j] = c * v - s * u;
        }
        for (Index k = 0; k < q; ++k) {
          const double x = a[i * q + k], y = a[j * q + k];
          a[i * q + k] = c * x + s * y, a[j * q + k] = c * y - s * x;
        }
      }
    }
  }
}

// V turned so that its columns are eigenvectors of `gram` = V^T Xc^T Xc V, largest first; returns
// the eigenvalues.
std::vector<double> turn(Matrix& V, std::vector<double> gram) {
  const Index q = V.cols();
  std::vector<double> vectors;
  diagonalise(gram, vectors, q);
  std::vector<Index> order(static_cast<std::size_t>(q));
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return gram[a * q + a] > gram[b * q + b]; });
  Matrix turned(V.rows(), q);
  for (Index i = 0; i < V.rows(); ++i) {
    for (Index c = 0; c < q; ++c) {
      double sum = 0;
      for (Index k = 0; k < q; ++k) sum += V(i, k) * vectors[k * q + order[c]];
      turned(i, c) = static_cast<float>(sum);
    }
  }
  V = std::move(turned);
  std::vector<double> values(order.size());
  for (std::size_t c = 0; c < order.size(); ++c) values[c] = gram[order[c] * q + order[c]];
  return values;
}

bool settled(const std::vector<double>& now, const std::vector<double>& before, Index count) {
  for (Index c = 0; c < count; ++c)
    if (!(std::abs(now[c] - before[c]) <= kSettled * std::abs(now[0]))) return false;
  return true;
}

}  // namespace

void centre_columns(Matrix& Y) {
  Matrix mean(1, Y.cols());
  kernels::column_sums(Y, mean);
  kernels::scale(1.0f / static_cast<float>(std::max<Index>(1, Y.rows())), mean, mean);
  kernels::map_columns(Y, {.shift = &mean}, Y);
}

Matrix pca_scores(const LinearOperator& X, Index count, int rounds, Matrix* directions) {
  Matrix out(X.rows, count);
  const Index q = std::min(X.cols, count + kSpare), used = std::min(count, q);
  if (X.rows == 0 || q == 0) return out;
  Matrix V(X.cols, q), Y(X.rows, q);
  Rng rng(1, Purpose::kTsne);
  for (Index i = 0; i < X.cols; ++i)
    for (Index c = 0; c < q; ++c) V(i, c) = static_cast<float>(rng.normal());
  std::vector<double> values(static_cast<std::size_t>(q), -1.0),
      gram(static_cast<std::size_t>(q * q));
  for (int round = 0; round < rounds; ++round) {
    orthonormalise(V);
    X.matvec(V, Y);
    kernels::gram(Y, Y, gram);
    const std::vector<double> before = std::exchange(values, turn(V, gram));
    if (settled(values, before, used) || round + 1 == rounds) break;
    X.rmatvec(Y, V);
  }
  for (Index c = 0; c < used; ++c) {
    Index largest = 0;
    for (Index i = 1; i < X.cols; ++i)
      if (std::abs(V(i, c)) > std::abs(V(largest, c))) largest = i;
    if (V(largest, c) >= 0) continue;
    for (Index i = 0; i < X.cols; ++i) V(i, c) = -V(i, c);
  }
  X.matvec(V, Y);
  for (Index i = 0; i < X.rows; ++i)
    for (Index c = 0; c < used; ++c) out(i, c) = Y(i, c);
  if (directions) {
    *directions = Matrix(X.cols, used);
    for (Index i = 0; i < X.cols; ++i)
      for (Index c = 0; c < used; ++c) (*directions)(i, c) = V(i, c);
  }
  return out;
}

Matrix pca_scores(const Matrix& X, Index count) {
  using kernels::Op;
  if (const int exponent = float_exponent(X); exponent != 0) {
    Matrix out = scaled(pca_scores(scaled(X, -exponent), count), exponent);
    constexpr float kLargest = std::numeric_limits<float>::max();
    for (Index i = 0; i < out.rows(); ++i)
      for (float& v : out.row_span(i)) v = std::clamp(v, -kLargest, kLargest);
    return out;
  }
  // Columns of Xc V have the mean 0, so Xc^T (Xc V) is X^T (Xc V).
  Matrix mean(1, X.cols());
  kernels::column_sums(X, mean);
  kernels::scale(1.0f / static_cast<float>(std::max<Index>(1, X.rows())), mean, mean);
  LinearOperator centred{.rows = X.rows(), .cols = X.cols()};
  centred.matvec = [&](const Matrix& V, Matrix& Y) {
    Matrix shift(1, V.cols());
    kernels::gemm(Op::kN, X, Op::kN, V, Y);
    kernels::gemm(Op::kN, mean, Op::kN, V, shift);
    kernels::map_columns(Y, {.shift = &shift}, Y);
  };
  centred.rmatvec = [&](const Matrix& Y, Matrix& V) { kernels::gemm(Op::kT, X, Op::kN, Y, V); };
  return pca_scores(centred, count);
}

Matrix pca_scores(const Csr& X, Index count) {
  const Csr Xt = transpose(X);
  LinearOperator centred{.rows = X.rows, .cols = X.cols};
  centred.matvec = [&](const Matrix& V, Matrix& Y) {
    kernels::spmm(X, V, Y);
    centre_columns(Y);
  };
  centred.rmatvec = [&](const Matrix& Y, Matrix& V) { kernels::spmm(Xt, Y, V); };
  return pca_scores(centred, count);
}

}  // namespace scrl
