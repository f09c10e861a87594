#include "train/prepare.h"

#include <gtest/gtest.h>

#include <cmath>

namespace scrl {
namespace {

// A ring of n nodes in which each is joined to the `reach` next ones, every edge given both ways.
Dataset ring(Index n, Index reach) {
  Dataset data;
  data.nodes = n;
  std::vector<NodeId> rows, cols;
  for (Index i = 0; i < n; ++i) {
    for (Index r = 1; r <= reach; ++r)
      for (const auto& [a, b] : {std::pair(i, (i + r) % n), std::pair((i + r) % n, i)}) {
        data.edges.source.push_back(static_cast<NodeId>(a));
        data.edges.target.push_back(static_cast<NodeId>(b));
      }
    for (Index k = 0; k < 32; ++k) {
      rows.push_back(static_cast<NodeId>(i));
      cols.push_back(static_cast<NodeId>((i + k) % 40));
    }
  }
  data.features = csr_from_triplets(n, 40, rows, cols, {}, Dup::kBinary);
  return data;
}

TEST(PrepareTest, StepsFollowTheDegree) {
  EXPECT_EQ(steps_for(ring(10, 1)), 2);     // ln 10 / ln 3 = 2.1 steps see them all
  EXPECT_EQ(steps_for(ring(1000, 1)), 6);   // degree 2: 28 / 3, at most 6
  EXPECT_EQ(steps_for(ring(1000, 4)), 3);   // degree 8: 28 / 9
  EXPECT_EQ(steps_for(ring(1000, 40)), 2);  // degree 80
  Dataset none = ring(10, 1);
  none.edges = {};
  EXPECT_EQ(steps_for(none), 2);
  Dataset few = ring(100, 1);  // a single edge for a hundred nodes
  few.edges.source.resize(1), few.edges.target.resize(1);
  EXPECT_EQ(steps_for(few), 6);
}

TEST(PrepareTest, AnEdgeCountsOnceHoweverItIsGiven) {
  Dataset twice = ring(100, 2);
  twice.edges.source.insert(twice.edges.source.end(), 400, 0);
  twice.edges.target.insert(twice.edges.target.end(), 400, 1);
  EXPECT_EQ(steps_for(twice), steps_for(ring(100, 2)));
}

TEST(PrepareTest, RowsAreAsLongAsNodesHaveFeatures) {
  const Dataset data = ring(100, 1);
  EXPECT_DOUBLE_EQ(row_length_for(data.features), 0.5);  // 32 of 64
  EXPECT_EQ(row_length_for(Csr{}), 1);
  const std::vector<NodeId> first = {0};
  EXPECT_EQ(row_length_for(csr_from_triplets(3, 5, first, first, {}, Dup::kBinary)), 0.25);
  const auto length_of_first_row = [&](const GraphOptions& o) {
    double sum = 0;
    const Operands operands = prepare(data, o, kNoGraph);
    for (const float v : operands.X.A.row_vals(0)) sum += static_cast<double>(v) * v;
    return std::sqrt(sum);
  };
  EXPECT_NEAR(length_of_first_row({.feature_norm = "l2"}), 1, 1e-6);
  EXPECT_NEAR(length_of_first_row({.feature_norm = "l2", .row_length = 3}), 3, 1e-6);
  EXPECT_NEAR(length_of_first_row({.feature_norm = "l2", .row_length = std::nullopt}), 0.5, 1e-6);
}

}  // namespace
}  // namespace scrl
