#include "embedding2d/tsne_repulsion.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/parallel.h"
#include "embedding2d/tsne_affinities.h"
#include "embedding2d/tsne_descent.h"
#include "kernels/attraction.h"
#include "support/clouds.h"

namespace scrl {
namespace {

struct Forces {
  std::vector<float> x, y;
  double z = 0;
};

Forces run(Repulsion& repulsion, const std::vector<float>& x, const std::vector<float>& y) {
  Forces out{std::vector<float>(x.size(), 9.0f), std::vector<float>(x.size(), 9.0f)};
  out.z = repulsion.run(x, y, out.x, out.y);
  return out;
}

struct Places {
  std::vector<float> x, y;
};
Places coordinates(Index n, double scale, std::uint64_t seed, double offset = 11) {
  const Matrix at = cloud(n, 2, 7, 3, seed);
  Places out;
  for (Index i = 0; i < n; ++i) {
    out.x.push_back(static_cast<float>(scale * at(i, 0) + offset));
    out.y.push_back(static_cast<float>(scale * at(i, 1) - offset / 2));
  }
  return out;
}

TEST(Repulsion, ThreePointsByHand) {
  ExactRepulsion exact;
  const Forces f = run(exact, {0, 1, 0}, {0, 0, 2});
  EXPECT_NEAR(f.z, 2 * (1.0 / 2 + 1.0 / 5 + 1.0 / 6), 1e-6);
  EXPECT_NEAR(f.x[0], -1.0 / 4, 1e-6);
  EXPECT_NEAR(f.y[0], -2.0 / 25, 1e-6);
  EXPECT_NEAR(f.x[1], 1.0 / 4 + 1.0 / 36, 1e-6);
  EXPECT_NEAR(f.y[2], 2.0 / 25 + 2.0 / 36, 1e-6);
}

// From all points within a hair to a map of two hundred units where each is nearly alone.
TEST(Repulsion, GridAgreesWithAllPairs) {
  for (const double scale : {1e-5, 1e-3, 1e-2, 0.1, 1.0, 5.0, 15.0}) {
    const Places at = coordinates(1500, scale, 4, scale < 0.1 ? 0 : 11);
    ExactRepulsion exact;
    GridRepulsion grid;
    const Forces want = run(exact, at.x, at.y), got = run(grid, at.x, at.y);
    EXPECT_NEAR(got.z, want.z, 1e-4 * want.z) << scale;
    double error = 0, size = 0;
    for (std::size_t i = 0; i < want.x.size(); ++i) {
      error += std::pow(got.x[i] - want.x[i], 2) + std::pow(got.y[i] - want.y[i], 2);
      size += std::pow(want.x[i], 2) + std::pow(want.y[i], 2);
    }
    EXPECT_LT(std::sqrt(error / size), scale < 2 ? 0.006 : 0.02) << scale;
  }
}

TEST(Repulsion, GridTakesOneTwoAndEqualPoints) {
  GridRepulsion grid;
  EXPECT_NEAR(run(grid, {3}, {4}).z, 0, 1e-4);
  const Forces two = run(grid, {0, 2}, {0, 0});
  EXPECT_NEAR(two.z, 0.4, 0.02);
  EXPECT_NEAR(two.x[1], 2.0 / 25, 0.01);
  const Forces equal = run(grid, std::vector<float>(50, 1.5f), std::vector<float>(50, 2.0f));
  EXPECT_NEAR(equal.z, 50 * 49, 10);
  const Forces wide = run(grid, {-1e6f, 0, 1e6f}, {0, 1e6f, 0});
  for (const float f : wide.x) EXPECT_TRUE(std::isfinite(f));
}

TEST(Repulsion, ThreadsDoNotChangeTheBits) {
  const Places at = coordinates(5000, 8, 5);
  set_threads(1);
  GridRepulsion grid;
  ExactRepulsion exact;
  const Forces alone = run(grid, at.x, at.y), pairs = run(exact, at.x, at.y);
  for (const int count : {2, 3}) {
    set_threads(count);
    GridRepulsion other;
    const Forces together = run(other, at.x, at.y);
    EXPECT_EQ(together.x, alone.x);
    EXPECT_EQ(together.y, alone.y);
    EXPECT_EQ(together.z, alone.z);
    EXPECT_EQ(run(exact, at.x, at.y).z, pairs.z);
  }
  set_threads(0);
}

// 4 (attraction - repulsion / Z) is the derivative of KL(P || Q).
TEST(Repulsion, ForcesAreTheGradientOfTheDivergence) {
  const Csr P = joint_affinities(nearest_dense(cloud(40, 5, 3, 2, 6), 12), 4);
  Places at = coordinates(40, 1, 7);
  ExactRepulsion exact;
  const auto divergence = [&] { return tsne_divergence(P, at.x, at.y, run(exact, at.x, at.y).z); };
  std::vector<float> pull_x(40), pull_y(40);
  kernels::attraction(P, at.x, at.y, pull_x, pull_y);
  const Forces push = run(exact, at.x, at.y);
  for (const std::size_t i : {0u, 13u, 39u}) {
    const float before = at.y[i], step = 0x1p-6f;
    at.y[i] = before + step;
    const double up = divergence();
    at.y[i] = before - step;
    const double down = divergence();
    at.y[i] = before;
    const double gradient = 4 * (pull_y[i] - push.y[i] / push.z);
    EXPECT_NEAR((up - down) / (2 * step), gradient, 1e-3 * std::abs(gradient) + 1e-6) << i;
  }
}

}  // namespace
}  // namespace scrl
