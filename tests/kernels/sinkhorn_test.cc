#include "kernels/reference.h"
#include "support/every_level.h"

namespace scrl {
namespace {

using SinkhornTest = EveryLevel;
SCRL_EVERY_LEVEL(SinkhornTest);

double column_mass(const Matrix& Q, Index b) {
  double mass = 0.0;
  for (Index i = 0; i < Q.rows(); ++i) mass += Q(i, b);
  return mass;
}

double row_mass(const Matrix& Q, Index i) {
  double mass = 0.0;
  for (const float q : Q.row_span(i)) mass += q;
  return mass;
}

double log_sum(Index count, const std::function<double(Index)>& term) {
  double top = -INFINITY, sum = 0.0;
  for (Index k = 0; k < count; ++k) top = std::max(top, term(k));
  for (Index k = 0; k < count; ++k) sum += std::exp(term(k) - top);
  return top + std::log(sum);
}

// The formulas of kernels.h in double precision, for scores at which the scaling form overflows.
Matrix in_log_domain(const Matrix& z, float eps, int iterations) {
  const Index n = z.rows(), B = z.cols();
  std::vector<double> f(static_cast<std::size_t>(n)), g(static_cast<std::size_t>(B));
  const auto t = [&](Index i, Index b) { return z(i, b) / static_cast<double>(eps); };
  for (int iteration = 0; iteration < iterations; ++iteration) {
    for (Index b = 0; b < B; ++b) {
      g[b] = -std::log(B) - log_sum(n, [&](Index i) { return t(i, b) + f[i]; });
    }
    for (Index i = 0; i < n; ++i) {
      f[i] = -std::log(n) - log_sum(B, [&](Index b) { return t(i, b) + g[b]; });
    }
  }
  Matrix Q(n, B);
  for (Index i = 0; i < n; ++i) {
    for (Index b = 0; b < B; ++b) {
      Q(i, b) = static_cast<float>(static_cast<double>(n) * std::exp(t(i, b) + f[i] + g[b]));
    }
  }
  return Q;
}

TEST_P(SinkhornTest, EqualsTheScalingForm) {
  for (const Index B : kWidths) {
    for (const Index n : {1, 2, 40, 700}) {
      for (const int iterations : {1, 2, 15}) {
        SCOPED_TRACE(cat("B=", B, " n=", n, " iterations=", iterations));
        const Matrix z = random_matrix(n, B, 1, -2.0f, 2.0f);
        Matrix Q = random_matrix(n, B, 2), expected(n, B);
        kernels::sinkhorn(z, 0.3f, iterations, {}, Q);
        reference::sinkhorn(z, 0.3f, iterations, {}, expected);
        expect_near(Q, expected, 1e-5);
        expect_zero_padding(Q);
      }
    }
  }
}

TEST_P(SinkhornTest, RowsSumToOneAndColumnsAreBalanced) {
  const Matrix z = random_matrix(2000, 18, 3);
  Matrix Q(2000, 18);
  kernels::sinkhorn(z, 0.3f, 50, {}, Q);
  for (Index i = 0; i < Q.rows(); ++i) ASSERT_NEAR(row_mass(Q, i), 1.0, 1e-6);
  for (Index b = 0; b < Q.cols(); ++b) EXPECT_NEAR(column_mass(Q, b), 2000.0 / 18, 0.01);
}

// The scaling form gives up here: exp(1e4 / 0.05) is far beyond any float.
TEST_P(SinkhornTest, HugeScoresDoNotOverflow) {
  Matrix z = random_matrix(300, 5, 4, -1e4f, 1e4f), Q(300, 5);
  for (Index i = 0; i < z.rows(); ++i) z(i, 2) -= 3e4f;  // a column nobody prefers
  kernels::sinkhorn(z, 0.05f, 30, {}, Q);
  EXPECT_TRUE(reference::all_finite(Q));
  for (Index i = 0; i < Q.rows(); ++i) ASSERT_NEAR(row_mass(Q, i), 1.0, 1e-5);
  for (Index b = 0; b < Q.cols(); ++b) EXPECT_GT(column_mass(Q, b), 1.0);
}

// Scores and eps are powers of two apart, so that z / eps is exact and only g is rounded.
TEST_P(SinkhornTest, SpreadOverThousandsEqualsTheLogDomain) {
  for (const float eps : {0x1p-7f, 0x1p-9f, 0x1p-11f}) {
    for (const int iterations : {1, 2, 15, 200}) {
      SCOPED_TRACE(cat("eps=", eps, " iterations=", iterations));
      Matrix z = random_matrix(60, 5, 8, -64.0f, 64.0f), Q(60, 5);
      for (Index i = 0; i < z.rows(); ++i) {
        for (float& v : z.row_span(i)) v = std::round(v) / 64.0f;
      }
      kernels::sinkhorn(z, eps, iterations, {}, Q);
      expect_near(Q, in_log_domain(z, eps, iterations), 1e-3);
      for (Index i = 0; i < Q.rows(); ++i) ASSERT_NEAR(row_mass(Q, i), 1.0, 1e-5);
    }
  }
}

// All rows but one have next to nothing to do with any column but the first, less than a float can
// tell from nothing. They have to come to the others when the weight of the first has fallen far.
TEST_P(SinkhornTest, RowsComeBackFromBelowTheSmallestFloat) {
  for (const float lead : {20.0f, 80.0f, 150.0f, 400.0f}) {
    Matrix z(40, 4), Q(40, 4);
    for (Index i = 0; i < 39; ++i) {
      for (Index b = 1; b < 4; ++b) z(i, b) = -lead - static_cast<float>(i % 3);
    }
    for (const int iterations : {1, 3, 20, 200}) {
      SCOPED_TRACE(cat("lead=", lead, " iterations=", iterations));
      kernels::sinkhorn(z, 1.0f, iterations, {}, Q);
      expect_near(Q, in_log_domain(z, 1.0f, iterations), 1e-3);
    }
    for (Index b = 0; b < 4; ++b) EXPECT_NEAR(column_mass(Q, b), 10.0, 0.01) << b;
  }
}

TEST_P(SinkhornTest, ASubsetIsThatProblemAlone) {
  const Matrix z = random_matrix(600, 7, 5);
  std::vector<NodeId> rows;
  for (NodeId i = 599; i >= 0; i -= 2) rows.push_back(i);  // any order
  Matrix part(static_cast<Index>(rows.size()), 7), alone(part.rows(), 7);
  for (Index i = 0; i < part.rows(); ++i) std::copy_n(z.row(rows[i]), 7, part.row(i));
  kernels::sinkhorn(part, 0.3f, 10, {}, alone);
  Matrix Q = random_matrix(600, 7, 6), expected(600, 7);
  for (Index i = 0; i < part.rows(); ++i) std::copy_n(alone.row(i), 7, expected.row(rows[i]));
  kernels::sinkhorn(z, 0.3f, 10, rows, Q);
  EXPECT_TRUE(same_bytes(Q, expected));
}

TEST_P(SinkhornTest, ThreadsDoNotChangeTheBits) {
  const Matrix z = random_matrix(5000, 33, 7);
  expect_thread_independent([&] {
    Matrix Q(5000, 33);
    kernels::sinkhorn(z, 0.2f, 8, {}, Q);
    return Q;
  });
}

TEST_P(SinkhornTest, BadArguments) {
  Matrix z(4, 3), Q(4, 3), none(0, 3), no_scores(0, 3);
  kernels::sinkhorn(no_scores, 0.3f, 3, {}, none);
  expect_error([&] { kernels::sinkhorn(z, 0.3f, 3, {}, none); }, {"sinkhorn", "4x3", "0x3"});
  expect_error([&] { kernels::sinkhorn(z, 0.0f, 3, {}, Q); }, {"eps", "got 0"});
  expect_error([&] { kernels::sinkhorn(z, 0.3f, 0, {}, Q); }, {"iterations", "got 0"});
  const std::vector<NodeId> rows = {1, 4};
  expect_error([&] { kernels::sinkhorn(z, 0.3f, 3, rows, Q); }, {"row 4", "4 rows"});
}

}  // namespace
}  // namespace scrl
