#include "neighbors/pca.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/parallel.h"
#include "support/clouds.h"

namespace scrl {
namespace {

// Independent columns with deviations 9, 1, 4 around a mean far from 0.
Matrix ellipsoid(Index rows) {
  Rng rng(3);
  Matrix out(rows, 3);
  for (Index i = 0; i < rows; ++i) {
    out(i, 0) = static_cast<float>(50 + 9 * rng.normal());
    out(i, 1) = static_cast<float>(-20 + rng.normal());
    out(i, 2) = static_cast<float>(4 * rng.normal());
  }
  return out;
}

double variance(const Matrix& m, Index column) {
  double sum = 0, square = 0;
  for (Index i = 0; i < m.rows(); ++i) sum += m(i, column);
  const double mean = sum / static_cast<double>(m.rows());
  for (Index i = 0; i < m.rows(); ++i) square += std::pow(m(i, column) - mean, 2);
  return square / static_cast<double>(m.rows());
}

Csr sparse(const Matrix& m) {
  Csr out;
  out.rows = m.rows(), out.cols = m.cols();
  for (Index i = 0; i < m.rows(); ++i) {
    for (Index j = 0; j < m.cols(); ++j)
      out.col.push_back(static_cast<NodeId>(j)), out.val.push_back(m(i, j));
    out.row_ptr.push_back(out.nnz());
  }
  return out;
}

TEST(Pca, FindsTheLongAxesInOrder) {
  const Matrix X = ellipsoid(4000), Y = pca_scores(X, 2);
  ASSERT_EQ(Y.cols(), 2);
  EXPECT_NEAR(variance(Y, 0), variance(X, 0), 0.01 * variance(X, 0));
  EXPECT_NEAR(variance(Y, 1), variance(X, 2), 0.01 * variance(X, 2));
  double dot0 = 0, dot1 = 0, sum = 0;
  for (Index i = 0; i < X.rows(); ++i) {
    dot0 += Y(i, 0) * (double{X(i, 0)} - 50);
    dot1 += Y(i, 1) * double{X(i, 2)};
    sum += Y(i, 0);
  }
  EXPECT_GT(dot0, 0.99 * 4000 * variance(X, 0));  // the sign makes the large entry positive
  EXPECT_GT(dot1, 0.99 * 4000 * variance(X, 2));
  EXPECT_NEAR(sum / 4000, 0, 1e-3);
}

TEST(Pca, AnySizeOfNumbersGivesTheSameScores) {
  const Matrix X = ellipsoid(300), usual = pca_scores(X, 2);
  for (const int exponent : {-100, 118}) {
    Matrix Y = X;
    for (Index i = 0; i < X.rows(); ++i)
      for (float& v : Y.row_span(i)) v = std::scalbn(v, exponent);
    const Matrix got = pca_scores(Y, 2);
    for (Index i = 0; i < X.rows(); ++i)
      ASSERT_EQ(got(i, 0), std::scalbn(usual(i, 0), exponent)) << exponent;
  }
  Matrix huge(40, 9);
  for (Index i = 0; i < 40; ++i)
    for (Index j = 0; j < 9; ++j) huge(i, j) = i % 2 ? 3e38f : -3e38f;
  const Matrix scores = pca_scores(huge, 2);
  for (Index i = 0; i < 40; ++i) EXPECT_TRUE(std::isfinite(scores(i, 0)));
}

TEST(Pca, SparseRowsGiveTheSame) {
  const Matrix X = cloud(500, 12, 3, 2, 5);
  const Matrix a = pca_scores(X, 2), b = pca_scores(sparse(X), 2);
  for (Index i = 0; i < X.rows(); ++i)
    for (Index c = 0; c < 2; ++c) EXPECT_NEAR(a(i, c), b(i, c), 2e-2) << i;
}

TEST(Pca, MissingColumnsAndEqualRowsGiveZeros) {
  const Matrix line = cloud(50, 1, 1, 0, 6);
  const Matrix Y = pca_scores(line, 2);
  EXPECT_GT(variance(Y, 0), 0.1);
  EXPECT_EQ(variance(Y, 1), 0);
  Matrix equal(20, 4);
  equal.fill(7);
  const Matrix none = pca_scores(equal, 2);
  for (Index i = 0; i < 20; ++i)
    for (Index c = 0; c < 2; ++c) EXPECT_NEAR(none(i, c), 0, 1e-4);
  EXPECT_EQ(pca_scores(Matrix(0, 4), 2).rows(), 0);
}

TEST(Pca, ThreadsDoNotChangeTheBits) {
  const Matrix X = cloud(3000, 40, 5, 2, 7);
  set_threads(1);
  const Matrix alone = pca_scores(X, 2);
  for (const int count : {2, 3}) {
    set_threads(count);
    EXPECT_TRUE(same_bits(pca_scores(X, 2), alone)) << count;
  }
  set_threads(0);
}

}  // namespace
}  // namespace scrl
