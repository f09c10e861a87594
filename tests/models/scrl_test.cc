// tests/models/scrl_test.cc: the weights of the exchanged prediction and of labelled nodes.
#include "models/scrl.h"

#include <gtest/gtest.h>

#include <cmath>

namespace scrl {
namespace {

// `labels` of each class.
Inputs inputs(const SparseOperand& X, const std::vector<int>& labels) {
  Inputs in{.X = X, .classes = static_cast<Index>(labels.size())};
  for (std::size_t c = 0; c < labels.size(); ++c)
    in.train_labels.insert(in.train_labels.end(), static_cast<std::size_t>(labels[c]),
                           static_cast<std::int32_t>(c));
  in.train.resize(in.train_labels.size());
  return in;
}

// `labels` of each class among `nodes` nodes.
double trust(Index nodes, const std::vector<int>& labels, bool prototypes_vote = false) {
  SparseOperand X;
  X.A.rows = nodes;
  return trust_in_consensus(inputs(X, labels), prototypes_vote);
}

std::vector<float> weights(const std::vector<int>& labels, double balance) {
  return class_weights(inputs(SparseOperand(), labels), balance);
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
  EXPECT_DOUBLE_EQ(trust(1000000, {3, 3, 3}, true), 0.6);
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

TEST(ScrlTest, NodesOfSmallClassesWeighMore) {
  EXPECT_EQ(weights({7, 7, 7}, 0.5), std::vector<float>({1, 1, 1}));  // to the bit
  EXPECT_EQ(weights({1, 3, 11}, 0), std::vector<float>({1, 1, 1}));
  EXPECT_EQ(weights({1, 4, 16, 7}, 1), std::vector<float>({7, 1.75f, 0.4375f, 1}));
  EXPECT_EQ(weights({1, 4, 16, 0, 9, 6}, 0.5),
            std::vector<float>(
                {std::sqrt(6.0f), std::sqrt(1.5f), std::sqrt(0.375f), 0, std::sqrt(6.0f / 9), 1}));
}

}  // namespace
}  // namespace scrl
