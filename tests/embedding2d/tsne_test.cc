#include "embedding2d/tsne.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "embedding2d/embedding_quality.h"
#include "kernels/reduce.h"
#include "neighbors/knn_recall.h"
#include "support/clouds.h"
#include "support/errors.h"

namespace scrl {
namespace {

using ::testing::HasSubstr;

double distance(const Matrix& map, Index i, Index j) {
  return std::hypot(double{map(i, 0)} - map(j, 0), double{map(i, 1)} - map(j, 1));
}

// Share of points whose nearest point in the map is of their own group.
double purity(const Matrix& map, Index groups) {
  Index good = 0;
  for (Index i = 0; i < map.rows(); ++i) {
    Index best = i == 0 ? 1 : 0;
    for (Index j = 0; j < map.rows(); ++j)
      if (j != i && distance(map, i, j) < distance(map, i, best)) best = j;
    good += best % groups == i % groups ? 1 : 0;
  }
  return static_cast<double>(good) / static_cast<double>(map.rows());
}

Csr sparse(const Matrix& m) {
  Csr out;
  out.rows = m.rows(), out.cols = m.cols();
  for (Index i = 0; i < m.rows(); ++i) {
    for (Index j = 0; j < m.cols(); ++j) {
      if (m(i, j) == 0) continue;
      out.col.push_back(static_cast<NodeId>(j)), out.val.push_back(m(i, j));
    }
    out.row_ptr.push_back(out.nnz());
  }
  return out;
}

// From there on squares in float overflow, or vanish.
TEST(Tsne, NumbersOfAnySizeAndAFarPointLeaveTheGroupsAsTheyAre) {
  const Matrix X = cloud(200, 6, 4, 6, 1);
  TsneOptions o;
  o.iterations = 400;
  for (const int exponent : {-120, 100}) {
    Matrix Y = X;
    for (Index i = 0; i < X.rows(); ++i)
      for (float& v : Y.row_span(i)) v = std::scalbn(v, exponent);
    EXPECT_EQ(purity(tsne(Y, o), 4), 1.0) << exponent;
  }
  Matrix far = X;
  far(11, 3) = 1e25f;
  const Matrix map = tsne(far, o);
  EXPECT_TRUE(kernels::all_finite(map));
  EXPECT_GT(purity(map, 4), 0.98);  // the far point itself has no group
}

TEST(Tsne, GroupsFarApartStayApartByBothMethods) {
  const Matrix X = cloud(1000, 20, 5, 6, 1);
  double kl[2];
  for (const bool exact : {false, true}) {
    TsneOptions o;
    o.iterations = 500, o.method = exact ? RepulsionMethod::kExact : RepulsionMethod::kFft;
    const Matrix map = tsne(X, o, nullptr, [&](const TsneProgress& p) { kl[exact] = p.kl; });
    ASSERT_TRUE(kernels::all_finite(map));
    EXPECT_EQ(purity(map, 5), 1.0) << name_of(o.method);
    // Groups are islands: the farthest of a group is nearer than the nearest of another.
    for (Index i = 0; i < 25; ++i) {
      double own = 0, other = 1e9;
      for (Index j = 0; j < X.rows(); ++j) {
        double& bound = i % 5 == j % 5 ? own : other;
        bound = i % 5 == j % 5 ? std::max(own, distance(map, i, j))
                               : std::min(other, distance(map, i, j));
      }
      EXPECT_LT(own, 3 * other);
    }
    EXPECT_GT(embedding_quality(X, map, 10, sample_rows(1000, 300)).trustworthiness, 0.9);
  }
  EXPECT_NEAR(kl[0], kl[1], 0.02 * kl[1]);  // the grid finds as good a map as all pairs
}

TEST(Tsne, ThreadsDoNotChangeTheBits) {
  const Matrix X = cloud(1200, 8, 4, 3, 2);
  for (const RepulsionMethod method : {RepulsionMethod::kFft, RepulsionMethod::kExact}) {
    TsneOptions o;
    o.iterations = 60, o.exaggeration_iters = 30, o.method = method;
    set_threads(1);
    const Matrix alone = tsne(X, o);
    for (const int count : {2, 3}) {
      set_threads(count);
      EXPECT_TRUE(same_bits(tsne(X, o), alone)) << name_of(method) << " " << count;
    }
  }
  set_threads(0);
}

TEST(Tsne, AStartMovesLittleAndKeepsItsPlaceAndScale) {
  const Matrix X = cloud(800, 10, 4, 3, 3);
  TsneOptions o;
  const Matrix first = tsne(X, o);
  Matrix nearly = X;  // the next epoch
  Rng rng(4);
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < X.cols(); ++j) nearly(i, j) += static_cast<float>(0.02 * rng.normal());
  o.iterations = 100;
  const Matrix next = tsne(nearly, o, &first);
  double moved = 0, size = 0;
  for (Index i = 0; i < X.rows(); ++i) {
    moved += std::pow(next(i, 0) - first(i, 0), 2) + std::pow(next(i, 1) - first(i, 1), 2);
    size += std::pow(first(i, 0), 2) + std::pow(first(i, 1), 2);
  }
  EXPECT_LT(std::sqrt(moved / size), 0.15);
  EXPECT_GT(moved, 0);
  o.iterations = 0;
  EXPECT_TRUE(same_bits(tsne(X, o, &first), first));
}

TEST(Tsne, FewPoints) {
  for (const Index n : {0, 1, 2, 3, 4, 7}) {
    for (const RepulsionMethod method : {RepulsionMethod::kAuto, RepulsionMethod::kFft}) {
      TsneOptions o;
      o.method = method;
      const Matrix map = tsne(cloud(n, 5, 1, 0, 5), o);
      ASSERT_EQ(map.rows(), n);
      ASSERT_EQ(map.cols(), 2);
      EXPECT_TRUE(kernels::all_finite(map)) << n << " " << name_of(method);
      if (n < 2) continue;
      EXPECT_GT(distance(map, 0, 1), 0) << n << " " << name_of(method);
    }
  }
  EXPECT_EQ(usable_perplexity(3, 30), 1);
  EXPECT_EQ(usable_perplexity(31, 30), 10);
  EXPECT_EQ(usable_perplexity(1000, 30), 30);
}

TEST(Tsne, EqualPointsNeitherHangNorBecomeNan) {
  for (const RepulsionMethod method : {RepulsionMethod::kExact, RepulsionMethod::kFft}) {
    TsneOptions o;
    o.method = method, o.iterations = 300;
    Matrix equal(300, 4);
    equal.fill(2);
    EXPECT_TRUE(kernels::all_finite(tsne(equal, o))) << name_of(method);
    Matrix twice(600, 6);  // every point four times, beside many of one kind
    const Matrix X = cloud(100, 6, 5, 4, 6);
    for (Index i = 0; i < 600; ++i)
      std::copy_n(X.row(i < 400 ? i / 4 : 0), X.stride(), twice.row(i));
    const Matrix map = tsne(twice, o);
    EXPECT_TRUE(kernels::all_finite(map)) << name_of(method);
    EXPECT_LT(distance(map, 4, 5), 0.2 * distance(map, 4, 8)) << name_of(method);
  }
}

TEST(Tsne, SparseRowsAreTakenByCosineAndEmptyOnesStay) {
  Matrix X = cloud(400, 12, 4, 5, 7);
  for (Index i = 0; i < 400; ++i) {
    for (Index j = 0; j < 12; ++j) {
      X(i, j) = i % 4 == j % 4 ? 3 + std::abs(X(i, j)) * 0.1f : 0.01f * std::abs(X(i, j));
      if (i < 3) X(i, j) = 0;
      X(i, j) *= static_cast<float>(1 + i % 7);  // lengths do not matter
    }
  }
  TsneOptions o;
  o.iterations = 400;
  const Matrix map = tsne(sparse(X), o);
  ASSERT_TRUE(kernels::all_finite(map));
  EXPECT_GT(purity(map, 4), 0.97);
  double farthest = 0;
  for (Index i = 3; i < 400; ++i) farthest = std::max(farthest, distance(map, 3, i));
  for (Index i = 0; i < 3; ++i) EXPECT_LT(distance(map, 3, i), 2 * farthest);
  set_threads(1);
  EXPECT_TRUE(same_bits(tsne(sparse(X), o), map));
  set_threads(0);
}

TEST(Tsne, SeedOnlyPartsEqualPoints) {
  const Matrix X = cloud(200, 6, 3, 4, 8);
  TsneOptions a, b;
  a.iterations = b.iterations = 50, b.seed = 1;
  EXPECT_TRUE(same_bits(tsne(X, a), tsne(X, a)));
  EXPECT_FALSE(same_bits(tsne(X, a), tsne(X, b)));
}

TEST(Tsne, ErrorsSayWhatIsWrong) {
  Matrix X = cloud(50, 3, 2, 1, 9), start(49, 2);
  EXPECT_THAT(error_of([&] { tsne(X, {}, &start); }, ErrorKind::kUsage),
              HasSubstr("49 rows of 2 numbers; expected 50 rows of 2"));
  TsneOptions wild;
  wild.learning_rate = 1e38;
  EXPECT_THAT(error_of([&] { tsne(X, wild); }, ErrorKind::kDiverged), HasSubstr("learning_rate"));
  X(7, 1) = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(error_of([&] { tsne(X, {}); }, ErrorKind::kUsage), HasSubstr("not a finite number"));
  OptionSet set;
  TsneOptions o;
  bind(set, o);
  EXPECT_THAT(error_of([&] { set.set("perplexity", "0.5", "test"); }, ErrorKind::kUsage),
              HasSubstr("perplexity"));
}

}  // namespace
}  // namespace scrl
