#include "run/calibration.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.h"
#include "kernels/rows.h"

namespace scrl {
namespace {

// Labels drawn from softmax(z); the model says log softmax(z * sharpness).
struct Drawn {
  static constexpr Index kNodes = 4000, kClasses = 4;
  Matrix said{kNodes, kClasses};
  std::vector<NodeId> nodes;
  std::vector<std::int32_t> labels;

  explicit Drawn(double sharpness) {
    Rng rng(11);
    Matrix z(kNodes, kClasses), truth(kNodes, kClasses);
    for (Index i = 0; i < kNodes; ++i)
      for (Index c = 0; c < kClasses; ++c) z(i, c) = static_cast<float>(1.5 * rng.normal());
    kernels::softmax(z, truth);
    kernels::log_softmax(z, static_cast<float>(sharpness), said);
    for (Index i = 0; i < kNodes; ++i) {
      double u = rng.uniform();
      std::int32_t y = 0;
      while (y + 1 < kClasses && (u -= truth(i, y)) > 0) ++y;
      nodes.push_back(static_cast<NodeId>(i));
      labels.push_back(y);
    }
  }
};

TEST(CalibrationTest, FindsTheTemperatureThatWasPutIn) {
  for (const double sharpness : {0.25, 1.0, 4.0}) {
    const Drawn d(sharpness);
    EXPECT_NEAR(learned_temperature(d.said, d.nodes, d.labels), sharpness, 0.08 * sharpness);
  }
}

TEST(CalibrationTest, StaysInBoundsAndAtOneWithoutLabels) {
  Matrix logp(2, 2);
  logp(0, 0) = logp(1, 0) = -1e-6f;
  logp(0, 1) = logp(1, 1) = -14.0f;
  const std::vector<NodeId> nodes = {0, 1};
  const std::vector<std::int32_t> wrong = {1, 1}, right = {0, 0};
  EXPECT_GT(learned_temperature(logp, nodes, wrong), 5);  // flat, never inverted
  EXPECT_LE(learned_temperature(logp, nodes, wrong), 20);
  EXPECT_NEAR(learned_temperature(logp, nodes, right), 1, 0.01);  // nothing left to gain
  EXPECT_EQ(learned_temperature(logp, {}, {}), 1);
}

TEST(CalibrationTest, RecordsReadBack) {
  const TemperatureResult r = {
      .temperature = 0.5, .labels_from = "validation nodes", .labels = 7, .error_after = 3};
  const Json json = to_json(r);
  const TemperatureResult s = temperature_from_json(JsonFields(json, "metrics.json"));
  EXPECT_EQ(s.temperature, 0.5);
  EXPECT_EQ(s.labels_from, r.labels_from);
  EXPECT_EQ(s.labels, 7);
  EXPECT_TRUE(std::isnan(s.error_before));
  EXPECT_EQ(s.error_after, 3);
}

}  // namespace
}  // namespace scrl
