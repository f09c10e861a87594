// tests/models/scrl_test.cc: the rule for the weight of the exchanged prediction.
#include "models/scrl.h"

#include <gtest/gtest.h>

namespace scrl {
namespace {

// `labels` of each class among `nodes` nodes.
double trust(Index nodes, const std::vector<int>& labels, bool prototypes_vote = false) {
  SparseOperand X;
  X.A.rows = nodes;
  Inputs in{.X = X, .classes = static_cast<Index>(labels.size())};
  for (std::size_t c = 0; c < labels.size(); ++c)
    in.train_labels.insert(in.train_labels.end(), static_cast<std::size_t>(labels[c]),
                           static_cast<std::int32_t>(c));
  in.train.resize(in.train_labels.size());
  return trust_in_consensus(in, prototypes_vote);
}

TEST(ScrlTest, EvenLabelsAreTrustedByTheirShare) {
  EXPECT_DOUBLE_EQ(trust(5000, {20, 20, 20}), 1.2);  // 1.2 % of the nodes
  EXPECT_DOUBLE_EQ(trust(100, {20, 20, 20}), 2);
  EXPECT_DOUBLE_EQ(trust(3000, {3, 3, 3}), 0.5);
  EXPECT_DOUBLE_EQ(trust(20000, {3, 3, 3}), 0.225);  // 0.045 %, five times
  EXPECT_DOUBLE_EQ(trust(1000000, {3, 3, 3}), 0.15);
}

TEST(ScrlTest, PrototypesThatVoteAreTrustedMore) {
  EXPECT_DOUBLE_EQ(trust(3000, {3, 3, 3}, true), 1.5);  // 0.3 % of the nodes, five times
  EXPECT_DOUBLE_EQ(trust(100, {3, 3, 3}, true), 2);
  EXPECT_DOUBLE_EQ(trust(1000000, {3, 3, 3}, true), 0.5);
}

TEST(ScrlTest, FewLabelsOfManyClassesAreTrustedLess) {
  EXPECT_DOUBLE_EQ(trust(3000, std::vector<int>(12, 3), true), 0.75);  // 36 * 3 / 12^2
  EXPECT_DOUBLE_EQ(trust(3000, std::vector<int>(100, 3), true), 0.15);
}

TEST(ScrlTest, UnevenLabelsAreTrustedLess) {
  // 1 + labels: 2, 4, 12; harmonic mean 3.6, arithmetic mean 6.
  EXPECT_NEAR(trust(1500, {1, 3, 11}), 0.6 * 0.6, 1e-12);  // one percent
  EXPECT_NEAR(trust(100, {1, 3, 11}, true), 0.6 * 0.6 * 2, 1e-12);
  EXPECT_GT(trust(100, {0, 10, 10}), 0);  // a class without labels
  EXPECT_LT(trust(100, {0, 10, 10}), trust(100, {5, 10, 10}));
}

}  // namespace
}  // namespace scrl
