#include "trust/query.h"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "base/parallel.h"
#include "base/rng.h"
#include "data/dataset.h"
#include "trust/node_space.h"

namespace scrl {
namespace {

// Groups of points around orthogonal directions, of falling size.
struct Groups {
  std::vector<Index> sizes = {60, 30, 15, 5};
  std::vector<std::int32_t> group;
  Matrix points;

  Groups() {
    for (std::size_t g = 0; g < sizes.size(); ++g)
      group.insert(group.end(), static_cast<std::size_t>(sizes[g]), static_cast<std::int32_t>(g));
    points = Matrix(static_cast<Index>(group.size()), 8);
    Rng rng(3);
    for (Index i = 0; i < points.rows(); ++i) {
      double square = 0;
      for (Index j = 0; j < 8; ++j) {
        points(i, j) = static_cast<float>((j == 2 * group[i] ? 1.0 : 0.0) + 0.05 * rng.normal());
        square += points(i, j) * points(i, j);
      }
      for (Index j = 0; j < 8; ++j) points(i, j) /= static_cast<float>(std::sqrt(square));
    }
  }
  std::vector<bool> all() const { return std::vector<bool>(group.size(), true); }
  std::vector<float> alike() const { return std::vector<float>(group.size(), 1.0f); }
};

TEST(QueryTest, LargestGroupsFirstAndEachOnce) {
  const Groups g;
  const auto chosen = query_nodes(g.points, g.all(), {}, g.alike(), 4, 0);
  ASSERT_EQ(chosen.size(), 4u);
  for (std::size_t k = 0; k < 4; ++k)
    EXPECT_EQ(g.group[static_cast<std::size_t>(chosen[k].node)], static_cast<std::int32_t>(k));
  for (std::size_t k = 1; k < 4; ++k) EXPECT_LE(chosen[k].gain, chosen[k - 1].gain);
  EXPECT_EQ(chosen[0].doubt, 1);
}

TEST(QueryTest, LabelledRegionsCountNoMoreAndLabelledNodesAreNotAskedFor) {
  const Groups g;
  std::vector<bool> candidate = g.all();
  const std::vector<NodeId> labelled = {3, 65};  // of groups 0 and 1
  for (const NodeId i : labelled) candidate[static_cast<std::size_t>(i)] = false;
  const auto chosen = query_nodes(g.points, candidate, labelled, g.alike(), 2, 0);
  EXPECT_EQ(g.group[static_cast<std::size_t>(chosen[0].node)], 2);
  EXPECT_EQ(g.group[static_cast<std::size_t>(chosen[1].node)], 3);
  const auto most = query_nodes(g.points, candidate, labelled, g.alike(), 1000, 0);
  std::set<NodeId> distinct;
  for (const Queried& q : most) distinct.insert(q.node);
  EXPECT_EQ(distinct.size(), g.group.size() - 2);  // all candidates, each once
  EXPECT_FALSE(distinct.contains(3));
  EXPECT_FALSE(distinct.contains(65));
}

TEST(QueryTest, DoubtMovesTheChoice) {
  const Groups g;
  std::vector<float> weights;
  for (const std::int32_t group : g.group) weights.push_back(group == 3 ? 1.0f : 0.01f);
  const auto chosen = query_nodes(g.points, g.all(), {}, weights, 1, 0);
  EXPECT_EQ(g.group[static_cast<std::size_t>(chosen[0].node)], 3);
  EXPECT_GT(chosen[0].doubt, 0.01);
}

TEST(QueryTest, DoubtIsARankOfTheMargin) {
  Matrix logp(4, 2);
  const double p[] = {0.9, 0.55, 0.7, 0.99};
  for (Index i = 0; i < 4; ++i) {
    logp(i, 0) = static_cast<float>(std::log(p[i]));
    logp(i, 1) = static_cast<float>(std::log(1 - p[i]));
  }
  const std::vector<float> w = doubt_weights(logp);
  EXPECT_EQ(w, (std::vector<float>{0.5f, 1.0f, 0.75f, 0.25f}));
}

TEST(QueryTest, ThreadsDoNotChangeTheAnswer) {
  const Dataset data = load_dataset("demo:nodes=400", {.use_cache = false});
  std::vector<std::vector<NodeId>> answers;
  for (const int count : {1, 3}) {
    set_threads(count);
    const Matrix space = node_space(data, 0);
    std::vector<NodeId> nodes;
    for (const Queried& q :
         query_nodes(space, std::vector<bool>(400, true), {}, std::vector<float>(400, 1.0f), 30, 0))
      nodes.push_back(q.node);
    answers.push_back(nodes);
  }
  set_threads(0);
  EXPECT_EQ(answers[0], answers[1]);
}

}  // namespace
}  // namespace scrl
