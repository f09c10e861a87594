#include "models/kmeans.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "base/parallel.h"
#include "base/rng.h"
#include "support/errors.h"

namespace scrl {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

Matrix matrix_of(Index rows, Index cols, std::vector<float> values) {
  Matrix out(rows, cols);
  out.assign_packed(values);
  return out;
}

// `groups` groups in turn, far apart; offset moves everything away from the origin.
Matrix groups_of(Index rows, Index cols, Index groups, std::uint64_t seed, float offset = 0) {
  Rng rng(seed);
  Matrix centre(groups, cols), out(rows, cols);
  for (Index g = 0; g < groups; ++g)
    for (Index j = 0; j < cols; ++j) centre(g, j) = static_cast<float>(10 * rng.normal());
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j)
      out(i, j) = offset + centre(i % groups, j) + static_cast<float>(rng.normal());
  return out;
}

double squared(const Matrix& a, Index i, const Matrix& b, Index k) {
  double sum = 0;
  for (Index j = 0; j < a.cols(); ++j) sum += std::pow(double{a(i, j)} - b(k, j), 2);
  return sum;
}

// Points 0 1 | 10 12: from centres 0 and 1 the second one first takes 1, 10 and 12.
TEST(KmeansTest, FollowsLloydByHand) {
  const Matrix Z = matrix_of(4, 1, {0, 1, 10, 12}), start = matrix_of(2, 1, {0, 1});
  const Clusters none = kmeans(Z, start, 0);
  EXPECT_THAT(none.of, ElementsAre(0, 1, 1, 1));
  EXPECT_NEAR(none.inertia, 81 + 121, 1e-4);
  EXPECT_EQ(none.iterations, 0);
  const Clusters once = kmeans(Z, start, 1);  // centres 0 and 23/3
  EXPECT_THAT(once.of, ElementsAre(0, 0, 1, 1));
  EXPECT_NEAR(once.centres(1, 0), 23.0 / 3, 1e-5);
  EXPECT_NEAR(once.inertia, 1 + std::pow(10 - 23.0 / 3, 2) + std::pow(12 - 23.0 / 3, 2), 1e-4);
  const Clusters full = kmeans(Z, start, 100);
  EXPECT_THAT(full.of, ElementsAre(0, 0, 1, 1));
  EXPECT_NEAR(full.centres(0, 0), 0.5, 1e-5);
  EXPECT_NEAR(full.centres(1, 0), 11, 1e-5);
  EXPECT_NEAR(full.inertia, 0.5 + 2, 1e-5);
  EXPECT_EQ(full.iterations, 2);
}

TEST(KmeansTest, TiesGoToTheSmallerCluster) {
  const Matrix Z = matrix_of(3, 1, {-1, 0, 1});
  EXPECT_THAT(kmeans(Z, matrix_of(2, 1, {1, -1}), 0).of, ElementsAre(1, 0, 0));
  EXPECT_THAT(kmeans(Z, matrix_of(2, 1, {-1, 1}), 0).of, ElementsAre(0, 0, 1));
}

// The third centre is nobody's. It takes 9, the point farthest from its centre 4, and the mean of
// the others becomes 4.
TEST(KmeansTest, AnEmptyClusterTakesTheFarthestPoint) {
  const Matrix Z = matrix_of(5, 1, {0, 3, 4, 5, 9});
  const Clusters got = kmeans(Z, matrix_of(3, 1, {0, 4, 100}), 100);
  EXPECT_THAT(got.of, ElementsAre(0, 1, 1, 1, 2));
  EXPECT_NEAR(got.centres(1, 0), 4, 1e-5);
  EXPECT_NEAR(got.centres(2, 0), 9, 1e-5);
  EXPECT_NEAR(got.inertia, 2, 1e-5);
}

TEST(KmeansTest, SeveralEmptyClustersTakeDifferentPoints) {
  const Matrix Z = matrix_of(4, 1, {0, 1, 2, 30});
  const Clusters got = kmeans(Z, matrix_of(4, 1, {0, 500, 600, 700}), 100);
  EXPECT_EQ(std::set(got.of.begin(), got.of.end()).size(), 4u);
  EXPECT_NEAR(got.inertia, 0, 1e-5);
}

// With an offset float would have no digits left for |x|^2 - 2 x . c.
TEST(KmeansTest, FindsGroupsThatAreFarApart) {
  for (const float offset : {0.0f, 1e5f}) {
    for (const Index cols : {1, 3, 16, 17, 40}) {
      const Index groups = cols == 1 ? 2 : 6;
      const Matrix Z = groups_of(3000, cols, groups, 4, offset);
      const Clusters got = kmeans(Z, groups, 50, 1);
      std::set<std::int32_t> names;
      Index strays = 0;
      for (Index g = 0; g < groups; ++g) names.insert(got.of[g]);
      for (Index i = 0; i < 3000; ++i) strays += got.of[i] != got.of[i % groups];
      EXPECT_EQ(static_cast<Index>(names.size()), groups) << cols;
      EXPECT_LT(strays, cols < 16 ? 60 : 1) << cols;
    }
  }
}

TEST(KmeansTest, CentresAreMeansAndEveryPointIsAtTheNearest) {
  const Matrix Z = groups_of(2500, 7, 30, 5);
  const Clusters got = kmeans(Z, 40, 200, 2);
  ASSERT_LT(got.iterations, 200);
  double inertia = 0;
  std::vector<double> mean(40 * 7), count(40);
  for (Index i = 0; i < 2500; ++i) {
    const double own = squared(Z, i, got.centres, got.of[i]);
    inertia += own;
    for (Index c = 0; c < 40; ++c) ASSERT_LE(own, squared(Z, i, got.centres, c) + 1e-3);
    count[got.of[i]] += 1;
    for (Index j = 0; j < 7; ++j) mean[got.of[i] * 7 + j] += Z(i, j);
  }
  EXPECT_NEAR(got.inertia, inertia, 1e-4 * inertia);
  for (Index c = 0; c < 40; ++c) {
    ASSERT_GT(count[c], 0);
    for (Index j = 0; j < 7; ++j) EXPECT_NEAR(got.centres(c, j), mean[c * 7 + j] / count[c], 1e-4);
  }
}

TEST(KmeansTest, IterationsNeverRaiseTheInertia) {
  const Matrix Z = groups_of(1000, 5, 3, 6);
  double before = std::numeric_limits<double>::infinity();
  for (int most = 0; most < 15; ++most) {
    const double now = kmeans(Z, 12, most, 3).inertia;
    EXPECT_LE(now, before * (1 + 1e-6)) << most;
    before = now;
  }
}

TEST(KmeansTest, EqualPointsAndAsManyClustersAsPoints) {
  Matrix equal(50, 3);
  equal.fill(0.3f);
  const Clusters one = kmeans(equal, 4, 10, 1);
  EXPECT_THAT(one.of, Each(0));
  EXPECT_EQ(one.inertia, 0);
  EXPECT_NEAR(one.centres(0, 0), 0.3f, 1e-6);

  const Matrix Z = groups_of(20, 4, 20, 7);
  const Clusters own = kmeans(Z, 20, 10, 1);
  EXPECT_EQ(std::set(own.of.begin(), own.of.end()).size(), 20u);
  EXPECT_NEAR(own.inertia, 0, 1e-6);

  // Three distinct points, each several times.
  Matrix few(30, 1);
  for (Index i = 0; i < 30; ++i) few(i, 0) = static_cast<float>(i % 3);
  EXPECT_NEAR(kmeans(few, 5, 20, 2).inertia, 0, 1e-10);
}

TEST(KmeansTest, TheSameBitsForAnyNumberOfThreads) {
  const Matrix Z = groups_of(5000, 18, 25, 8);
  set_threads(1);
  const Clusters one = kmeans(Z, 60, 12, 5);
  for (const int count : {2, 3}) {
    set_threads(count);
    const Clusters many = kmeans(Z, 60, 12, 5);
    EXPECT_EQ(many.of, one.of);
    EXPECT_EQ(many.centres.packed(), one.centres.packed());
    EXPECT_EQ(many.inertia, one.inertia);
  }
  set_threads(0);
  EXPECT_NE(kmeans(Z, 60, 12, 6).of, one.of);
}

TEST(KmeansTest, BadInputIsRefused) {
  Matrix Z = groups_of(5, 2, 2, 9);
  EXPECT_THAT(error_of([&] { kmeans(Z, 6, 10, 1); }, ErrorKind::kUsage),
              HasSubstr("6 clusters of 5 points"));
  EXPECT_THAT(error_of([&] { kmeans(Z, 0, 10, 1); }, ErrorKind::kUsage), HasSubstr("0 clusters"));
  EXPECT_THAT(error_of([&] { kmeans(Z, Matrix(2, 3), 10); }, ErrorKind::kRun),
              HasSubstr("2 columns"));
  Z(4, 1) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(error_of([&] { kmeans(Z, 2, 10, 1); }, ErrorKind::kDiverged), HasSubstr("diverged"));
}

}  // namespace
}  // namespace scrl
