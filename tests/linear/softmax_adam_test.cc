#include "linear/softmax_adam.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/parallel.h"
#include "points.h"
#include "support/errors.h"

namespace scrl {
namespace {

using ::testing::HasSubstr;

// The definition in double, one start after another: weights (h + 1) x classes, bias last.
std::vector<double> by_hand(const Labelled& data, Index classes, std::uint64_t seed, int repeats,
                            int steps, double lr) {
  const Index h = data.Z.cols();
  const std::size_t size = static_cast<std::size_t>((h + 1) * classes);
  std::vector<double> mean(size);
  for (int r = 0; r < repeats; ++r) {
    std::vector<double> w(size), m(size), v(size);
    for (Index j = 0; j < h; ++j)
      for (Index c = 0; c < classes; ++c)
        w[j * classes + c] = softmax_adam_start(h, classes, seed, r, j, c);
    for (int t = 1; t <= steps; ++t) {
      std::vector<double> g(size);
      for (std::size_t i = 0; i < data.rows.size(); ++i) {
        const auto z = [&](Index j) { return j < h ? double{data.Z(data.rows[i], j)} : 1.0; };
        std::vector<double> p(static_cast<std::size_t>(classes));
        double sum = 0;
        for (Index c = 0; c < classes; ++c) {
          for (Index j = 0; j <= h; ++j) p[c] += z(j) * w[j * classes + c];
          sum += p[c] = std::exp(p[c]);
        }
        for (Index c = 0; c < classes; ++c)
          for (Index j = 0; j <= h; ++j)
            g[j * classes + c] +=
                z(j) * (p[c] / sum - (data.labels[i] == c)) / static_cast<double>(data.rows.size());
      }
      for (std::size_t e = 0; e < size; ++e) {
        m[e] = 0.9 * m[e] + 0.1 * g[e];
        v[e] = 0.999 * v[e] + 0.001 * g[e] * g[e];
        w[e] -= lr * (m[e] / (1 - std::pow(0.9, t))) /
                (std::sqrt(v[e] / (1 - std::pow(0.999, t))) + 1e-8);
      }
    }
    for (std::size_t e = 0; e < size; ++e) mean[e] += w[e] / repeats;
  }
  return mean;
}

TEST(SoftmaxAdamTest, EqualsTheDefinition) {
  const Labelled data = blobs(14, 5, 3, 1.0, 1);
  const LinearClassifier head =
      softmax_adam(data.Z, data.rows, data.labels, 4, 7, {.repeats = 3, .steps = 20, .lr = 0.01});
  const auto want = by_hand(data, 4, 7, 3, 20, 0.01);
  for (Index c = 0; c < 4; ++c) {
    for (Index j = 0; j < 5; ++j) EXPECT_NEAR(head.W(j, c), want[j * 4 + c], 1e-5);
    EXPECT_NEAR(head.b(0, c), want[5 * 4 + c], 1e-5);
  }
}

TEST(SoftmaxAdamTest, StartsAreUniformWithinTheBoundAndDifferByRepeat) {
  const double bound = std::sqrt(6.0 / (40 + 10));
  double low = 1, high = -1, sum = 0;
  for (Index j = 0; j < 40; ++j) {
    for (Index c = 0; c < 10; ++c) {
      const double w = softmax_adam_start(40, 10, 1, 0, j, c);
      low = std::min(low, w), high = std::max(high, w), sum += w;
      EXPECT_NE(w, softmax_adam_start(40, 10, 1, 1, j, c));
    }
  }
  EXPECT_GE(low, -bound);
  EXPECT_LE(high, bound);
  EXPECT_LT(low, -0.95 * bound);
  EXPECT_GT(high, 0.95 * bound);
  EXPECT_NEAR(sum / 400, 0, 0.1 * bound);
}

TEST(SoftmaxAdamTest, LearnsWhatCanBeLearnt) {
  const Labelled data = blobs(60, 20, 3, 1.0, 2);
  EXPECT_EQ(predict(softmax_adam(data.Z, data.rows, data.labels, 3, 1), data.Z, data.rows),
            data.labels);
}

TEST(SoftmaxAdamTest, TheSameBitsForAnyNumberOfThreads) {
  const Labelled data = blobs(130, 33, 7, 0.5, 3);
  set_threads(1);
  const LinearClassifier one = softmax_adam(data.Z, data.rows, data.labels, 7, 1, {.steps = 10});
  for (const int count : {2, 3}) {
    set_threads(count);
    const LinearClassifier many = softmax_adam(data.Z, data.rows, data.labels, 7, 1, {.steps = 10});
    EXPECT_EQ(many.W.packed(), one.W.packed());
    EXPECT_EQ(many.b.packed(), one.b.packed());
  }
  set_threads(0);
}

TEST(SoftmaxAdamTest, BadInputIsRefused) {
  Labelled data = blobs(4, 2, 2, 1.0, 4);
  EXPECT_THAT(error_of([&] { softmax_adam(data.Z, {}, {}, 2, 1); }), HasSubstr("no labelled rows"));
  data.Z(1, 1) = std::numeric_limits<float>::infinity();
  EXPECT_THAT(
      error_of([&] { softmax_adam(data.Z, data.rows, data.labels, 2, 1); }, ErrorKind::kDiverged),
      HasSubstr("diverged"));
}

}  // namespace
}  // namespace scrl
