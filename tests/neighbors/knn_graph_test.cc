#include "neighbors/knn_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/error.h"

namespace scrl {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

std::vector<std::pair<Index, NodeId>> upper_edges(const Csr& graph) {
  std::vector<std::pair<Index, NodeId>> out;
  for (Index i = 0; i < graph.rows; ++i) {
    for (const NodeId j : graph.row_cols(i)) {
      const auto back = graph.row_cols(j);
      EXPECT_TRUE(std::binary_search(back.begin(), back.end(), static_cast<NodeId>(i)));
      if (i < j) out.emplace_back(i, j);
    }
  }
  for (const float v : graph.val) EXPECT_EQ(v, 1.0f);
  return out;
}

// 0 chooses 2; 1 chooses 0 and 2; 2 chooses 1; 3 nobody.
Neighbours example() {
  return {.nodes = 4, .k = 2, .id = {2, -1, 0, 2, 1, -1, -1, -1}, .similarity = {}};
}

TEST(KnnGraphTest, ModesByHand) {
  EXPECT_THAT(upper_edges(knn_graph(example(), KnnMode::kRule)),
              ElementsAre(Pair(0, 2), Pair(1, 2)));
  EXPECT_THAT(upper_edges(knn_graph(example(), KnnMode::kUnion)),
              ElementsAre(Pair(0, 1), Pair(0, 2), Pair(1, 2)));
  EXPECT_THAT(upper_edges(knn_graph(example(), KnnMode::kMutual)), ElementsAre(Pair(1, 2)));
}

TEST(KnnGraphTest, AFileBecomesSymmetricAndBinary) {
  const Edges edges{.source = {0, 0, 1, 2}, .target = {1, 1, 2, 1}, .weight = {3, 4, 5, 6}};
  EXPECT_THAT(upper_edges(knn_graph_from_file(4, edges)), ElementsAre(Pair(0, 1), Pair(1, 2)));
}

}  // namespace
}  // namespace scrl
