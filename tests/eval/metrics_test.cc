#include "eval/metrics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"

namespace scrl {
namespace {

const std::vector<NodeId> kAll = {0, 1, 2, 3, 4, 5};

// Worked by hand: class 0 has precision 2/3 and recall 2/3, class 1 1/2 and 1/3, class 2 0 and
// none.
TEST(MetricsTest, AccuracyAndMacroF1) {
  const std::vector<std::int32_t> truth = {0, 0, 0, 1, 1, 1}, guess = {0, 0, 1, 1, 0, 2};
  const Scores s = score(guess, truth, kAll, 3);
  EXPECT_DOUBLE_EQ(s.accuracy, 50.0);
  EXPECT_DOUBLE_EQ(s.macro_f1, 100.0 * (2.0 / 3 + 0.4 + 0.0) / 3);
}

TEST(MetricsTest, ClassesThatOccurNowhereDoNotCount) {
  const std::vector<std::int32_t> truth = {0, 0, 0, 1, 1, 1};
  EXPECT_DOUBLE_EQ(score(truth, truth, kAll, 9).macro_f1, 100.0);
}

TEST(MetricsTest, OnlyTheNamedNodesCount) {
  const std::vector<std::int32_t> truth = {0, 1, -1, 1, 0, 0}, guess = {0, 0, 1, 1, 1, 1};
  const std::vector<NodeId> nodes = {0, 3};
  EXPECT_DOUBLE_EQ(score(guess, truth, nodes, 2).accuracy, 100.0);
  EXPECT_EQ(confusion(guess, truth, nodes, 2), (std::vector<Index>{1, 0, 0, 1}));
  EXPECT_THROW(score(guess, truth, kAll, 2), Error);  // node 2 has no label
  EXPECT_DOUBLE_EQ(score(guess, truth, {}, 2).accuracy, 0.0);
}

TEST(MetricsTest, Summaries) {
  EXPECT_DOUBLE_EQ(mean_std(std::vector<double>{1, 2, 3, 4}).mean, 2.5);
  EXPECT_DOUBLE_EQ(mean_std(std::vector<double>{1, 3}).std, std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(mean_std(std::vector<double>{7}).std, 0.0);
  EXPECT_DOUBLE_EQ(median({3, 1, 2}), 2.0);
  EXPECT_DOUBLE_EQ(median({4, 1, 2, 3}), 2.5);
  EXPECT_DOUBLE_EQ(median({}), 0.0);
}

TEST(MetricsTest, MeanNll) {
  Matrix logp(2, 2);
  logp(0, 0) = -1;
  logp(1, 1) = -3;
  const std::vector<std::int32_t> labels = {0, 1};
  EXPECT_DOUBLE_EQ(mean_nll(logp, labels, std::vector<NodeId>{0, 1}), 2.0);
}

}  // namespace
}  // namespace scrl
