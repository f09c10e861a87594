#include "embedding2d/tsne_affinities.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

#include "base/parallel.h"
#include "support/clouds.h"

namespace scrl {
namespace {

using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;

double entropy(const std::vector<double>& p) {
  double sum = 0;
  for (const double x : p) sum -= x > 0 ? x * std::log(x) : 0;
  return sum;
}

// scipy.optimize.brentq on the entropy: b = 0.2592806829234038.
TEST(Affinities, OneRowEqualsAnIndependentSolution) {
  const auto p = row_affinities(std::vector<double>{1, 4, 9, 16, 25}, 2.5);
  const double want[] = {0.62208677, 0.28578436, 0.07816595, 0.01272883, 0.0012341};
  for (std::size_t j = 0; j < 5; ++j) EXPECT_NEAR(p[j], want[j], 1e-6);
}

TEST(Affinities, EntropyIsThatOfThePerplexityAtAnyScale) {
  Rng rng(1);
  for (const double scale : {1e-12, 1e-3, 1.0, 1e6, 1e12}) {
    for (const double offset : {0.0, 1e3}) {
      std::vector<double> d;
      for (int j = 0; j < 90; ++j) d.push_back(scale * (offset + rng.uniform()));
      for (const double perplexity : {1.5, 5.0, 30.0, 80.0}) {
        const auto p = row_affinities(d, perplexity);
        EXPECT_NEAR(entropy(p), std::log(perplexity), 1e-5) << scale << " " << perplexity;
        EXPECT_NEAR(std::accumulate(p.begin(), p.end(), 0.0), 1, 1e-12);
      }
    }
  }
}

TEST(Affinities, WhereNothingReachesThePerplexity) {
  EXPECT_THAT(row_affinities(std::vector<double>(4, 3.0), 2), Each(0.25));
  EXPECT_THAT(row_affinities(std::vector<double>(6, 0.0), 2), Each(1.0 / 6));
  // Three at the smallest distance, two wanted.
  const auto p = row_affinities(std::vector<double>{0, 0, 0, 1, 2}, 2);
  EXPECT_THAT(p, ElementsAre(DoubleNear(1.0 / 3, 1e-6), DoubleNear(1.0 / 3, 1e-6),
                             DoubleNear(1.0 / 3, 1e-6), DoubleNear(0, 1e-6), DoubleNear(0, 1e-6)));
  EXPECT_THAT(row_affinities(std::vector<double>{5}, 1), ElementsAre(1.0));
  EXPECT_NEAR(row_affinities(std::vector<double>{1, 2}, 1)[0], 1, 1e-6);
  const auto wide = row_affinities(std::vector<double>{1e-300, 1e300, 2e300}, 2);
  EXPECT_NEAR(std::accumulate(wide.begin(), wide.end(), 0.0), 1, 1e-9);
}

TEST(Affinities, JointOnesAreSymmetricAndSumToOne) {
  const Matrix X = cloud(300, 5, 3, 2, 2);
  const Csr P = joint_affinities(nearest_dense(X, 30), 10);
  validate(P, "P");
  EXPECT_NEAR(std::accumulate(P.val.begin(), P.val.end(), 0.0), 1, 1e-6);
  const Csr T = transpose(P);
  EXPECT_EQ(T.col, P.col);
  EXPECT_EQ(T.val, P.val);
  // One entry by hand.
  const DenseNeighbours near = nearest_dense(X, 30);
  const auto given = [&](Index i, NodeId j) {
    const auto p = row_affinities({near.squared.data() + i * 30, 30}, 10);
    for (int s = 0; s < 30; ++s)
      if (near.id[i * 30 + s] == j) return p[s];
    return 0.0;
  };
  const NodeId j = P.row_cols(7)[3];
  EXPECT_NEAR(P.row_vals(7)[3], (given(7, j) + given(j, 7)) / 600, 1e-9);
}

TEST(Affinities, ThreadsDoNotChangeTheBits) {
  const DenseNeighbours near = nearest_dense(cloud(500, 5, 3, 2, 3), 30);
  set_threads(1);
  const Csr alone = joint_affinities(near, 10);
  for (const int count : {2, 3}) {
    set_threads(count);
    EXPECT_EQ(joint_affinities(near, 10).val, alone.val);
  }
  set_threads(0);
}

}  // namespace
}  // namespace scrl
