// hsic and gram_distance against the n x n matrices they avoid, and how many digits they keep.
#include <gtest/gtest.h>

#include <cmath>

#include "autograd/ops.h"

namespace scrl {
namespace {

using Dense = std::vector<double>;  // row by row

Matrix random_matrix(Index rows, Index cols, std::uint32_t stream, float low = -1.0f) {
  const Rng rng(31, Purpose::kTest, stream);
  Matrix m(rows, cols);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j)
      m(i, j) = low + 2.0f * rng.uniform_at(static_cast<std::uint64_t>(i * cols + j));
  return m;
}

// X X^T, in double precision.
Dense outer(const Matrix& X) {
  const Index n = X.rows();
  Dense K(static_cast<std::size_t>(n * n));
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      double sum = 0;
      for (Index k = 0; k < X.cols(); ++k) sum += static_cast<double>(X(i, k)) * X(j, k);
      K[static_cast<std::size_t>(i * n + j)] = sum;
    }
  return K;
}

// R K R with R = I - 11^T/n.
Dense doubly_centered(Dense K, Index n) {
  for (int side = 0; side < 2; ++side)
    for (Index i = 0; i < n; ++i) {
      const Index step = side == 0 ? 1 : n, first = side == 0 ? i * n : i;
      double mean = 0;
      for (Index j = 0; j < n; ++j) mean += K[static_cast<std::size_t>(first + j * step)] / n;
      for (Index j = 0; j < n; ++j) K[static_cast<std::size_t>(first + j * step)] -= mean;
    }
  return K;
}

struct Pair {
  Param A, B;
  Tape tape;
  Pair(Matrix a, Matrix b) : A("A", a.rows(), a.cols()), B("B", b.rows(), b.cols()) {
    A.value = std::move(a), B.value = std::move(b);
  }
  float run(Var (*op)(Var, Var)) {
    const Var loss = op(tape.param(A), tape.param(B));
    const Plan plan = tape.plan({loss});
    tape.forward(plan, {});
    tape.backward(plan, {}, loss);
    return loss.scalar();
  }
};

TEST(DependenceTest, HsicIsTheTraceOfCentredKernels) {
  const Index n = 60;
  Pair pair(random_matrix(n, 5, 1, 4.0f), random_matrix(n, 3, 2, 2.0f));  // far from centred
  const Dense P = doubly_centered(outer(pair.A.value), n), Q = outer(pair.B.value);
  double trace = 0;
  for (std::size_t k = 0; k < P.size(); ++k) trace += P[k] * Q[k];
  EXPECT_NEAR(pair.run(hsic) / trace, 1.0, 1e-5);
}

TEST(DependenceTest, DistanceIsTheMeanSquareOfTheDifference) {
  const Index n = 60;
  Pair pair(random_matrix(n, 5, 3), random_matrix(n, 5, 4));
  const Dense U = outer(pair.A.value), V = outer(pair.B.value);
  double sum = 0;
  for (std::size_t k = 0; k < U.size(); ++k) sum += std::pow(U[k] - V[k], 2);
  EXPECT_NEAR(pair.run(gram_distance) / (sum / (n * n)), 1.0, 1e-6);
}

TEST(DependenceTest, DistanceOfEqualsIsZero) {
  Pair pair(random_matrix(50, 5, 3), random_matrix(50, 5, 3));
  EXPECT_EQ(pair.run(gram_distance), 0.0f);
  for (const float g : pair.A.grad.packed()) EXPECT_EQ(g, 0.0f);
}

// Rows of length 1 that differ by 1e-3, as a consensus loss meets them late in training.
TEST(DependenceTest, CloseEmbeddingsKeepTheirDigits) {
  const Index n = 1000, h = 128;
  Matrix U = random_matrix(n, h, 5), V = random_matrix(n, h, 6);
  for (Index i = 0; i < n; ++i) {
    double square = 0;
    for (Index j = 0; j < h; ++j) square += static_cast<double>(U(i, j)) * U(i, j);
    for (Index j = 0; j < h; ++j) {
      U(i, j) = static_cast<float>(U(i, j) / std::sqrt(square));
      V(i, j) = U(i, j) + 1e-3f * V(i, j) / std::sqrt(static_cast<float>(h));
    }
  }
  double sum = 0;                                             // the n x n differences, row by row
  std::vector<double> gradient(static_cast<std::size_t>(h));  // of U_0: 4/n^2 sum_j M_0j U_j
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      double difference = 0;
      for (Index k = 0; k < h; ++k)
        difference +=
            static_cast<double>(U(i, k)) * U(j, k) - static_cast<double>(V(i, k)) * V(j, k);
      sum += difference * difference;
      for (Index k = 0; k < h && i == 0; ++k)
        gradient[static_cast<std::size_t>(k)] += 4.0 * difference * U(j, k) / n / n;
    }
  Pair pair(U, V);
  const double error = std::abs(pair.run(gram_distance) / (sum / n / n) - 1.0);
  double off = 0, size = 0;
  for (Index k = 0; k < h; ++k) {
    const double want = gradient[static_cast<std::size_t>(k)];
    off += std::pow(pair.A.grad(0, k) - want, 2), size += want * want;
  }
  RecordProperty("relative_error", cat(error));
  RecordProperty("relative_error_of_gradient", cat(std::sqrt(off / size)));
  EXPECT_LT(error, 1e-6);
  EXPECT_LT(std::sqrt(off / size), 1e-4);
}

}  // namespace
}  // namespace scrl
