#include "points/pca.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/parallel.h"
#include "base/rng.h"

namespace scrl {
namespace {

// Points with known axes: 5 a u + 2 b v + noise, u and v orthogonal, a and b uncorrelated.
TEST(PcaTest, FindsThePlaneOfLargestSpread) {
  const Index n = 400, h = 9;
  Matrix X(n, h);
  Rng rng(3);
  std::vector<double> a, b;
  for (Index i = 0; i < n; ++i) {
    a.push_back(rng.normal());
    b.push_back(rng.normal());
    for (Index j = 0; j < h; ++j) X(i, j) = static_cast<float>(7 + 0.01 * rng.normal());
    X(i, 2) += static_cast<float>(5 * a.back() * 0.6);
    X(i, 4) += static_cast<float>(5 * a.back() * 0.8);
    X(i, 2) -= static_cast<float>(2 * b.back() * 0.8);
    X(i, 4) += static_cast<float>(2 * b.back() * 0.6);
  }
  const Matrix Y = pca_plane(X);
  // The plane is spanned by the two axes: distances in it are those of (5a, 2b).
  for (Index i = 1; i < n; i += 7) {
    const double want = std::hypot(5 * (a[i] - a[0]), 2 * (b[i] - b[0]));
    EXPECT_NEAR(std::hypot(Y(i, 0) - Y(0, 0), Y(i, 1) - Y(0, 1)), want, 0.15);
  }
  double first = 0, second = 0, mixed = 0;
  for (Index i = 0; i < n; ++i) {
    first += Y(i, 0) * Y(i, 0);
    second += Y(i, 1) * Y(i, 1);
    mixed += Y(i, 0) * Y(i, 1);
  }
  EXPECT_GT(first, 4 * second);
  EXPECT_LT(std::abs(mixed), 1e-4 * first);
}

TEST(PcaTest, SameBitsForAnyNumberOfThreads) {
  Matrix X(1001, 37);
  Rng rng(5);
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < X.cols(); ++j) X(i, j) = static_cast<float>(rng.normal());
  set_threads(1);
  const std::vector<float> one = pca_plane(X).packed();
  for (const int t : {2, 3}) {
    set_threads(t);
    EXPECT_EQ(pca_plane(X).packed(), one);
  }
  set_threads(0);
}

TEST(PcaTest, LittleToSpread) {
  EXPECT_EQ(pca_plane(Matrix(0, 4)).rows(), 0);
  EXPECT_EQ(pca_plane(Matrix(3, 0)).packed(), std::vector<float>(6, 0.0f));
  EXPECT_EQ(pca_plane(Matrix(3, 5)).packed(), std::vector<float>(6, 0.0f));
  Matrix line(3, 2);  // on one line: the second coordinate is 0
  for (Index i = 0; i < 3; ++i) line(i, 0) = line(i, 1) = static_cast<float>(i);
  const Matrix Y = pca_plane(line);
  for (Index i = 0; i < 3; ++i) {
    EXPECT_NEAR(Y(i, 0), std::sqrt(2.0) * static_cast<double>(i - 1), 1e-6);
    EXPECT_EQ(Y(i, 1), 0.0f);
  }
}

}  // namespace
}  // namespace scrl
