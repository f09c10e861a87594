#include "trust/conformal.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/rng.h"
#include "trust/prediction_sets.h"

namespace scrl {
namespace {

Csr csr(Index n, std::vector<std::vector<NodeId>> rows) {
  Csr A;
  A.rows = A.cols = n;
  for (const auto& row : rows) {
    A.col.insert(A.col.end(), row.begin(), row.end());
    A.row_ptr.push_back(static_cast<Index>(A.col.size()));
  }
  A.val.assign(A.col.size(), 1.0f);
  return A;
}

TEST(ConformalTest, LabelsNeeded) {
  EXPECT_EQ(labels_needed(0.9), 9);
  EXPECT_EQ(labels_needed(0.95), 19);
  EXPECT_EQ(labels_needed(0.99), 99);
  EXPECT_EQ(labels_needed(0.5), 1);
  EXPECT_EQ(labels_needed(0.7), 3);  // 1 / 0.3 = 3.33
  for (const double coverage : {0.5, 0.7, 0.8, 0.9, 0.95, 0.99}) {
    const auto n = static_cast<std::size_t>(labels_needed(coverage));
    EXPECT_TRUE(conformal_quantile(std::vector<float>(n, 0.0f), coverage)) << coverage;
    EXPECT_FALSE(conformal_quantile(std::vector<float>(n - 1, 0.0f), coverage)) << coverage;
  }
}

TEST(ConformalTest, QuantileByHand) {
  std::vector<float> scores;
  for (int i = 19; i > 0; --i) scores.push_back(static_cast<float>(i));
  EXPECT_EQ(*conformal_quantile(scores, 0.9), 18);  // ceil(20 * 0.9)
  EXPECT_EQ(*conformal_quantile(scores, 0.91), 19);
  EXPECT_EQ(*conformal_quantile(scores, 0.5), 10);
}

TEST(ConformalTest, ApsByHand) {
  Matrix logp(1, 3);
  logp(0, 0) = std::log(0.2f), logp(0, 1) = std::log(0.5f), logp(0, 2) = std::log(0.3f);
  const Matrix s = aps_scores(logp, std::vector<float>{0.5f});
  EXPECT_NEAR(s(0, 1), 0.25, 1e-6);
  EXPECT_NEAR(s(0, 2), 0.5 + 0.15, 1e-6);
  EXPECT_NEAR(s(0, 0), 0.8 + 0.1, 1e-6);
}

TEST(ConformalTest, SnapsByHand) {
  Matrix s(3, 1);
  s(0, 0) = 0.1f, s(1, 0) = 0.5f, s(2, 0) = 0.9f;
  const Csr features = csr(3, {{1, 2}, {0}, {0}});
  const Csr topology = csr(3, {{0, 1}, {0}, {}});  // with a loop, and a node on its own
  const Matrix out = diffused_scores(s, features, topology, {.features = 0.25, .topology = 0.5});
  EXPECT_NEAR(out(0, 0), 0.25 * 0.1 + 0.25 * 0.7 + 0.5 * 0.5, 1e-6);
  EXPECT_NEAR(out(1, 0), 0.25 * 0.5 + 0.25 * 0.1 + 0.5 * 0.1, 1e-6);
  EXPECT_NEAR(out(2, 0), 0.25 * 0.9 + 0.25 * 0.1 + 0.5 * 0.9, 1e-6);
}

// Nodes of three classes on a ring of regions; probabilities are right on the average but noisy.
struct Regions {
  static constexpr Index kNodes = 3000, kClasses = 3;
  Matrix log_probs{kNodes, kClasses};
  std::vector<std::int32_t> labels;
  std::vector<std::string> ids;
  Csr topology;

  Regions() {
    Rng rng(5);
    std::vector<std::vector<NodeId>> rows;
    for (Index i = 0; i < kNodes; ++i) {
      const auto y = static_cast<std::int32_t>(i * kClasses / kNodes);
      double total = 0;
      std::vector<double> z;
      for (Index c = 0; c < kClasses; ++c) z.push_back((c == y ? 1.0 : 0.0) + 1.2 * rng.normal());
      for (const double v : z) total += std::exp(v);
      for (Index c = 0; c < kClasses; ++c)
        log_probs(i, c) = static_cast<float>(z[static_cast<std::size_t>(c)] - std::log(total));
      labels.push_back(y);
      ids.push_back(std::to_string(i));
      std::vector<NodeId> row;
      for (const Index j : {i - 2, i - 1, i + 1, i + 2})
        if (j >= 0 && j < kNodes) row.push_back(static_cast<NodeId>(j));
      rows.push_back(std::move(row));
    }
    topology = csr(kNodes, rows);
  }
};

TEST(PredictionSetsTest, CoverageIsWhatWasAskedForAndNeighboursMakeSetsSmaller) {
  const Regions g;
  const Csr none = csr(Regions::kNodes, std::vector<std::vector<NodeId>>(Regions::kNodes));
  for (const double coverage : {0.8, 0.9}) {
    SCOPED_TRACE(coverage);
    double covered = 0, size = 0, aps_size = 0;
    constexpr int kDraws = 40;
    for (int draw = 0; draw < kDraws; ++draw) {
      std::vector<NodeId> nodes(Regions::kNodes);
      for (Index i = 0; i < Regions::kNodes; ++i)
        nodes[static_cast<std::size_t>(i)] = static_cast<NodeId>(i);
      Rng rng(static_cast<std::uint64_t>(draw), Purpose::kTest, 1);
      rng.shuffle(std::span<NodeId>(nodes));
      const SetRequest request = {.coverage = coverage,
                                  .calibration = {nodes.begin(), nodes.begin() + 200},
                                  .choosing = {nodes.begin() + 200, nodes.begin() + 400}};
      const std::vector<NodeId> test(nodes.begin() + 400, nodes.end());
      const PredictionSets sets =
          choose_sets(g.log_probs, g.ids, none, g.topology, g.labels, request);
      EXPECT_EQ(sets.score, "SNAPS");
      const SetScores s = score_sets(sets.member, Regions::kClasses, test, g.labels);
      covered += s.coverage / kDraws;
      size += s.mean_size / kDraws;

      const Matrix aps = aps_scores(g.log_probs, uniform_of_ids(g.ids, 0));
      const float q =
          *conformal_quantile(scores_of_labels(aps, request.calibration, g.labels), coverage);
      aps_size +=
          score_sets(prediction_sets(aps, q), Regions::kClasses, test, g.labels).mean_size / kDraws;
    }
    EXPECT_NEAR(covered, coverage, 0.012);
    EXPECT_LT(size, 0.85 * aps_size);
  }
}

TEST(PredictionSetsTest, TooFewLabelsNameTheNumberNeeded) {
  const Regions g;
  const Csr none = csr(Regions::kNodes, std::vector<std::vector<NodeId>>(Regions::kNodes));
  try {
    choose_sets(g.log_probs, g.ids, none, g.topology, g.labels,
                {.coverage = 0.95, .calibration = {1, 2, 3}});
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kUsage);
    EXPECT_NE(std::string(e.what()).find("at least 19"), std::string::npos) << e.what();
  }
}

TEST(PredictionSetsTest, OrderOfNodesDoesNotMatterAndNonemptyFills) {
  const Regions g;
  const Csr none = csr(Regions::kNodes, std::vector<std::vector<NodeId>>(Regions::kNodes));
  SetRequest request = {.coverage = 0.3};
  for (NodeId i = 0; i < 300; ++i) request.calibration.push_back(i * 10);
  const auto sets = choose_sets(g.log_probs, g.ids, none, g.topology, g.labels, request);
  const auto empty = [&](const std::vector<bool>& member) {
    std::vector<NodeId> all(Regions::kNodes);
    for (Index i = 0; i < Regions::kNodes; ++i)
      all[static_cast<std::size_t>(i)] = static_cast<NodeId>(i);
    return score_sets(member, Regions::kClasses, all, g.labels).empty;
  };
  EXPECT_GT(empty(sets.member), 0.1);
  request.nonempty = true;
  EXPECT_EQ(empty(choose_sets(g.log_probs, g.ids, none, g.topology, g.labels, request).member), 0);

  std::vector<std::string> few(g.ids.begin() + 7, g.ids.begin() + 17);
  const auto u = uniform_of_ids(g.ids, 3), v = uniform_of_ids(few, 3);
  for (std::size_t i = 0; i < few.size(); ++i) EXPECT_EQ(v[i], u[i + 7]);
}

}  // namespace
}  // namespace scrl
