#include "neighbors/knn_dense.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/parallel.h"
#include "support/clouds.h"
#include "support/errors.h"

namespace scrl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

double squared(const Matrix& X, Index i, Index j) {
  double sum = 0;
  for (Index c = 0; c < X.cols(); ++c)
    sum += (double{X(i, c)} - X(j, c)) * (double{X(i, c)} - X(j, c));
  return sum;
}

void expect_nearest(const Matrix& X, int k) {
  const DenseNeighbours got = nearest_dense(X, k);
  ASSERT_EQ(got.nodes, X.rows());
  ASSERT_EQ(got.k, k);
  for (Index i = 0; i < X.rows(); ++i) {
    std::vector<std::pair<double, NodeId>> all;
    for (Index j = 0; j < X.rows(); ++j)
      if (j != i) all.emplace_back(squared(X, i, j), static_cast<NodeId>(j));
    std::sort(all.begin(), all.end());
    for (int s = 0; s < k; ++s) {
      ASSERT_EQ(got.id[i * k + s], all[s].second) << "row " << i << ", neighbour " << s;
      ASSERT_NEAR(got.squared[i * k + s], all[s].first, 1e-5 * (1 + all[s].first));
    }
  }
}

TEST(KnnDense, FindsWhatComparingAllPairsFinds) {
  expect_nearest(cloud(2, 3, 1, 0, 1), 1);
  expect_nearest(cloud(10, 1, 2, 3, 2), 9);
  expect_nearest(cloud(333, 17, 5, 2, 3), 40);
  expect_nearest(cloud(1100, 5, 4, 4, 4), 12);  // several blocks of queries
  expect_nearest(cloud(4500, 2, 1, 0, 5), 3);   // several tiles
}

// Differences of large numbers are where products in float would fail.
TEST(KnnDense, FarFromTheOrigin) {
  Matrix X = cloud(500, 6, 3, 3, 6);
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < X.cols(); ++j) X(i, j) += 1000;
  expect_nearest(X, 10);
}

TEST(KnnDense, TiesGoToTheSmallerNumberAndEqualRowsAreNeighbours) {
  Matrix X(5, 1);
  X.assign_packed(std::vector<float>{0, 1, -1, 0, 0});
  const DenseNeighbours got = nearest_dense(X, 3);
  EXPECT_THAT(std::vector(got.id.begin(), got.id.begin() + 3), ElementsAre(3, 4, 1));
  EXPECT_THAT(std::vector(got.id.begin() + 3, got.id.begin() + 6), ElementsAre(0, 3, 4));
  EXPECT_THAT(std::vector(got.squared.begin(), got.squared.begin() + 3), ElementsAre(0, 0, 1));
}

// The powers of two bring squares below, into and beyond what float holds.
TEST(KnnDense, AnySizeOfNumbersGivesTheSameNeighbours) {
  const Matrix X = cloud(200, 5, 4, 3, 8);
  const DenseNeighbours usual = nearest_dense(X, 9);
  for (const int exponent : {-100, -60, 60, 122}) {
    Matrix Y = X;
    for (Index i = 0; i < X.rows(); ++i)
      for (float& v : Y.row_span(i)) v = std::scalbn(v, exponent);
    const DenseNeighbours got = nearest_dense(Y, 9);
    EXPECT_EQ(got.id, usual.id) << exponent;
    EXPECT_EQ(got.squared[5], std::ldexp(usual.squared[5], 2 * exponent)) << exponent;
  }
}

TEST(KnnDense, OneHugeRowDoesNotHideTheOthers) {
  for (const float huge : {1e8f, 1e25f, -3e38f}) {
    Matrix X = cloud(120, 4, 3, 2, 9);
    X(7, 2) = huge;
    const DenseNeighbours got = nearest_dense(X, 20);
    for (Index i = 0; i < X.rows(); ++i) {
      std::vector<std::pair<double, NodeId>> all;
      for (Index j = 0; j < X.rows(); ++j)
        if (j != i) all.emplace_back(squared(X, i, j), static_cast<NodeId>(j));
      std::sort(all.begin(), all.end());
      for (int s = 0; s < 20; ++s) ASSERT_EQ(got.id[i * 20 + s], all[s].second) << huge;
    }
  }
}

TEST(KnnDense, SubnormalNumbersAndNothingButTies) {
  Matrix X(90, 3);
  for (Index i = 0; i < 90; ++i) X(i, i % 3) = 1e-44f * static_cast<float>(1 + i % 5);
  expect_nearest(X, 30);
  const DenseNeighbours got = nearest_dense(Matrix(50, 4), 16);  // all rows are equal
  EXPECT_THAT(std::vector(got.id.begin() + 16, got.id.begin() + 20), ElementsAre(0, 2, 3, 4));
}

TEST(KnnDense, ThreadsDoNotChangeTheBits) {
  const Matrix X = cloud(1500, 20, 6, 2, 7);
  set_threads(1);
  const DenseNeighbours alone = nearest_dense(X, 15);
  for (const int count : {2, 3}) {
    set_threads(count);
    const DenseNeighbours together = nearest_dense(X, 15);
    EXPECT_EQ(together.id, alone.id);
    EXPECT_EQ(together.squared, alone.squared);
  }
  set_threads(0);
}

TEST(KnnDense, RefusesMoreNeighboursThanRows) {
  EXPECT_THAT(error_of([] { nearest_dense(Matrix(4, 2), 4); }, ErrorKind::kRun),
              HasSubstr("below 4 rows, got 4"));
}

}  // namespace
}  // namespace scrl
