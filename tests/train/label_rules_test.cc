#include "train/label_rules.h"

#include <gtest/gtest.h>

namespace scrl {
namespace {

// n nodes in two classes, each with so many features and so many edges in the mean.
Dataset known(Index n, Index features, Index degree = 2) {
  Dataset data{.nodes = n, .classes = {"a", "b"}};
  for (Index i = 0; i < n; ++i) data.labels.push_back(static_cast<std::int32_t>(i % 2));
  data.features = {.rows = n, .cols = features};
  for (Index i = 0; i <= n; ++i) data.features.row_ptr.push_back(i * features);
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < features; ++j) {
      data.features.col.push_back(static_cast<NodeId>(j));
      data.features.val.push_back(1);
    }
    for (Index step = 1; step <= degree / 2; ++step) {
      data.edges.source.push_back(static_cast<NodeId>(i));
      data.edges.target.push_back(static_cast<NodeId>((i + step) % n));
    }
  }
  return data;
}

LabelRules rules(const Dataset& data, std::size_t labels) {
  Split split;
  for (std::size_t i = 0; i < labels; ++i) split.train.push_back(static_cast<NodeId>(i));
  return label_rules(data, split, true);
}

// `labels` of each class among `nodes` nodes.
double trust(Index nodes, const std::vector<int>& labels, bool prototypes_vote = false) {
  std::vector<std::int32_t> all;
  for (std::size_t c = 0; c < labels.size(); ++c)
    all.insert(all.end(), static_cast<std::size_t>(labels[c]), static_cast<std::int32_t>(c));
  return trust_in_consensus(all, static_cast<Index>(labels.size()), nodes, prototypes_vote);
}

TEST(LabelRulesTest, LabelsLeadWhereThereAreManyAndMuchIsKnown) {
  const LabelRules r = rules(known(1001, 64), 40);
  EXPECT_EQ(r.vote, 0);
  EXPECT_EQ(r.likeness, 0);
  EXPECT_EQ(r.dropout, 0.5);
  EXPECT_EQ(r.input_dropout, 0.5);
  EXPECT_EQ(r.epsilon, 0.05);
  EXPECT_EQ(r.weight_decay, 1e-3);
  EXPECT_EQ(r.lr, 5e-3);
  EXPECT_EQ(r.k, 9);
  EXPECT_EQ(r.alpha, trust(1001, {20, 20}));
}

TEST(LabelRulesTest, TheConsensusLeadsWhereLabelsAreFew) {
  for (const std::size_t labels : {3, 39}) {
    const LabelRules r = rules(known(1001, 64), labels);
    EXPECT_EQ(r.vote, 1);
    EXPECT_EQ(r.alpha,
              trust(1001, {static_cast<int>(labels + 1) / 2, static_cast<int>(labels) / 2}, true));
    EXPECT_EQ(r.likeness, 0);
    EXPECT_EQ(r.dropout, 0.2);
    EXPECT_EQ(r.input_dropout, 0.8);
  }
}

TEST(LabelRulesTest, WalksCarryLabelsThatAreLost) {
  const LabelRules r = rules(known(1001, 64), 2);  // less than one node in 500
  EXPECT_EQ(r.vote, 1);
  EXPECT_EQ(r.likeness, 0.6);
  EXPECT_EQ(r.dropout, 0.5);
  EXPECT_EQ(r.input_dropout, 0.5);
  EXPECT_EQ(r.epsilon, 0.05);

  const LabelRules many = rules(known(25000, 1), 40);  // lost too, but 20 for a class
  EXPECT_EQ(many.vote, 0);
  EXPECT_EQ(many.likeness, 0);
}

TEST(LabelRulesTest, TheConsensusLeadsWhereLittleIsKnownOfANode) {
  EXPECT_EQ(rules(known(1001, 61, 2), 40).vote, 1);  // 63 features and edges
  EXPECT_EQ(rules(known(1001, 62, 2), 40).vote, 0);
  EXPECT_EQ(rules(known(1001, 32, 32), 40).vote, 0);  // many edges
  EXPECT_EQ(rules(known(1001, 32, 30), 40).input_dropout, 0.8);
}

TEST(LabelRulesTest, TargetsAreSharperTheMoreLabelsHoldThePrototypes) {
  const Dataset data = known(1001, 64);
  EXPECT_EQ(rules(data, 2).epsilon, 0.05);  // lost in the graph: the consensus does not lead
  EXPECT_EQ(rules(data, 20).epsilon, 0.05);
  EXPECT_DOUBLE_EQ(rules(data, 24).epsilon, 0.045);
  EXPECT_EQ(rules(data, 38).epsilon, 0.03);
  EXPECT_EQ(rules(data, 40).epsilon, 0.05);              // labels lead
  EXPECT_EQ(rules(known(1001, 32), 400).epsilon, 0.03);  // the least
}

TEST(LabelRulesTest, FewFeaturesAreLearnedSlowlyAndComparedWithMoreNeighbours) {
  const LabelRules half = rules(known(1001, 32), 10);  // rows of length 1/2
  EXPECT_DOUBLE_EQ(half.weight_decay, 4e-3);
  EXPECT_DOUBLE_EQ(half.lr, 2.5e-3);
  EXPECT_EQ(half.k, 24);

  const LabelRules fewest = rules(known(1001, 8), 10);
  EXPECT_DOUBLE_EQ(fewest.weight_decay, 5e-3);
  EXPECT_NEAR(fewest.lr, 2.236e-3, 1e-6);
  EXPECT_EQ(fewest.k, 30);

  const LabelRules long_rows = rules(known(1001, 128), 10);
  EXPECT_EQ(long_rows.weight_decay, 1e-3);
  EXPECT_EQ(long_rows.lr, 5e-3);
  EXPECT_EQ(long_rows.k, 9);
}

TEST(LabelRulesTest, BothViewsAnswerWhereTheyDoNotTeachEachOtherClasses) {
  const Dataset data = known(1001, 32);
  EXPECT_EQ(rules(data, 10).feature_weight, 0.3);
  EXPECT_NEAR(label_rules(data, {.train = {0, 2, 4, 6, 1}}, true).feature_weight, 0.5335, 1e-4);
  EXPECT_EQ(rules(data, 10).row_length, 0.5);
  EXPECT_NEAR(label_rules(data, {.train = {0, 2, 4, 6, 1}}, true).weight_decay, 2.669e-3, 1e-6);

  Split split;
  for (const std::size_t labels : {2, 10, 400}) {  // however many there are
    split.train.resize(labels);
    const LabelRules r = label_rules(data, split, false);
    EXPECT_EQ(r.feature_weight, 1);
    EXPECT_EQ(r.row_length, 1);
    EXPECT_EQ(r.weight_decay, 1e-5);
    EXPECT_EQ(r.vote, 0);
    EXPECT_EQ(r.likeness, 0);
    EXPECT_EQ(r.input_dropout, 0.5);
    EXPECT_EQ(r.k, 9);
  }
}

TEST(TrustInConsensusTest, EvenLabelsAreTrustedByTheirShare) {
  EXPECT_DOUBLE_EQ(trust(5000, {20, 20, 20}), 1.2);  // 1.2 % of the nodes
  EXPECT_DOUBLE_EQ(trust(100, {20, 20, 20}), 2);
  EXPECT_DOUBLE_EQ(trust(3000, {3, 3, 3}), 0.5);
  EXPECT_DOUBLE_EQ(trust(20000, {3, 3, 3}), 0.225);  // 0.045 %, five times
  EXPECT_DOUBLE_EQ(trust(1000000, {3, 3, 3}), 0.15);
}

TEST(TrustInConsensusTest, PrototypesThatVoteAreTrustedMore) {
  EXPECT_DOUBLE_EQ(trust(3000, {3, 3, 3}, true), 1.5);  // 0.3 % of the nodes, five times
  EXPECT_DOUBLE_EQ(trust(100, {3, 3, 3}, true), 2);
  EXPECT_DOUBLE_EQ(trust(1000000, {3, 3, 3}, true), 0.6);
}

TEST(TrustInConsensusTest, FewLabelsOfManyClassesAreTrustedLess) {
  EXPECT_DOUBLE_EQ(trust(3000, std::vector<int>(12, 3), true), 0.75);  // 36 * 3 / 12^2
  EXPECT_DOUBLE_EQ(trust(3000, std::vector<int>(100, 3), true), 0.15);
}

TEST(TrustInConsensusTest, UnevenLabelsAreTrustedLess) {
  // 1 + labels: 2, 4, 12; harmonic mean 3.6, arithmetic mean 6.
  EXPECT_NEAR(trust(1500, {1, 3, 11}), 0.6 * 0.6, 1e-12);  // one percent
  EXPECT_NEAR(trust(100, {1, 3, 11}, true), 0.6 * 0.6 * 2, 1e-12);
  EXPECT_GT(trust(100, {0, 10, 10}), 0);  // a class without labels
  EXPECT_LT(trust(100, {0, 10, 10}), trust(100, {5, 10, 10}));
}

}  // namespace
}  // namespace scrl
