#include "eval/per_class.h"

#include <gtest/gtest.h>

#include <cmath>

namespace scrl {
namespace {

// Worked by hand. Truth in rows: class 0 (3 nodes) 2 0 1, class 1 (1 node) 1 0 0, class 2 none.
TEST(ClassScoresTest, ByHand) {
  const std::vector<Index> counts = {2, 0, 1, 1, 0, 0, 0, 0, 0};
  const auto s = class_scores(counts, 3);
  EXPECT_EQ(s[0].nodes, 3);
  EXPECT_EQ(s[0].predicted, 3);
  EXPECT_DOUBLE_EQ(s[0].precision, 200.0 / 3);
  EXPECT_DOUBLE_EQ(s[0].recall, 200.0 / 3);
  EXPECT_DOUBLE_EQ(s[0].f1, 200.0 / 3);
  EXPECT_TRUE(std::isnan(s[1].precision));  // never predicted
  EXPECT_DOUBLE_EQ(s[1].recall, 0);
  EXPECT_DOUBLE_EQ(s[1].f1, 0);
  EXPECT_DOUBLE_EQ(s[2].precision, 0);
  EXPECT_TRUE(std::isnan(s[2].recall));  // no node
}

TEST(CalibrationTest, ByHand) {
  Matrix logp(4, 2);
  const float p[] = {0.95f, 0.85f, 0.81f, 0.55f};
  for (Index i = 0; i < 4; ++i) {
    logp(i, 0) = std::log(p[i]);
    logp(i, 1) = std::log(1 - p[i]);
  }
  const std::vector<std::int32_t> labels = {0, 0, 1, 1};
  const std::vector<NodeId> nodes = {0, 1, 2, 3};
  const Calibration c = calibration(logp, labels, nodes, 10);
  ASSERT_EQ(c.bins.size(), 10u);
  EXPECT_EQ(c.bins[9].nodes, 1);
  EXPECT_NEAR(c.bins[9].confidence, 95, 1e-4);
  EXPECT_EQ(c.bins[9].accuracy, 100);
  EXPECT_EQ(c.bins[8].nodes, 2);
  EXPECT_NEAR(c.bins[8].confidence, 83, 1e-4);
  EXPECT_EQ(c.bins[8].accuracy, 50);
  EXPECT_EQ(c.bins[5].nodes, 1);
  EXPECT_EQ(c.bins[5].accuracy, 0);
  EXPECT_NEAR(c.expected_error, (5 + 2 * 33 + 55) / 4.0, 1e-4);
}

TEST(CalibrationTest, CertaintyAndNoNodes) {
  const Matrix logp(1, 1);  // log 1
  const std::vector<std::int32_t> labels = {0};
  const std::vector<NodeId> one = {0};
  const Calibration c = calibration(logp, labels, one, 10);
  EXPECT_EQ(c.bins[9].nodes, 1);
  EXPECT_EQ(c.expected_error, 0);
  EXPECT_EQ(calibration(logp, labels, {}, 10).expected_error, 0);
}

}  // namespace
}  // namespace scrl
