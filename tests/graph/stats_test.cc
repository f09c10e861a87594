#include "graph/stats.h"

#include <gtest/gtest.h>

#include "graph/adjacency.h"

namespace scrl {
namespace {

// 0-1, 1-2 (both directions), 1-2 again, a loop on 2 twice, a loop on 4, 3 alone; 5-6.
Edges example() { return {.source = {0, 1, 2, 1, 2, 2, 4, 5}, .target = {1, 2, 1, 2, 2, 2, 4, 6}}; }

TEST(StatsTest, CountsAGraphByHand) {
  const std::vector<std::int32_t> labels = {0, 0, 1, 1, 0, 2, kUnlabelled};
  const GraphStats s = graph_stats(adjacency(7, example(), Dup::kSum), labels);
  EXPECT_EQ(s.nodes, 7);
  EXPECT_EQ(s.edges, 3);
  EXPECT_EQ(s.loops, 2);
  EXPECT_EQ(s.isolated, 2);  // 3, and 4 with nothing but a loop
  EXPECT_EQ(s.max_degree, 2);
  EXPECT_DOUBLE_EQ(s.mean_degree, 6.0 / 7);
  EXPECT_EQ(s.median_degree, 1);
  EXPECT_EQ(s.distinct_degrees, 3);
  EXPECT_EQ(s.components, 4);
  EXPECT_EQ(s.labelled_edges, 2);
  EXPECT_EQ(s.homophily, 0.5);
}

TEST(StatsTest, CountsEdgeRowsByHand) {
  const EdgeStats s = edge_stats(7, example());
  EXPECT_EQ(s.rows, 8);
  EXPECT_EQ(s.distinct, 6);
  EXPECT_EQ(s.duplicates, 2);
  EXPECT_EQ(s.loops, 2);
  EXPECT_EQ(s.one_directional, 2);
}

TEST(StatsTest, AGraphWithoutNodesOrLabels) {
  EXPECT_EQ(graph_stats(Csr{}, {}).components, 0);
  const GraphStats s = graph_stats(adjacency(4, {.source = {0}, .target = {1}}, Dup::kSum), {});
  EXPECT_EQ(s.homophily, 0);
  EXPECT_EQ(s.components, 3);
  EXPECT_EQ(s.median_degree, 0.5);
}

}  // namespace
}  // namespace scrl
