#include "neighbors/knn_forest.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/rng.h"

namespace scrl {
namespace {

// Even rows have features of 0..39, odd rows those of 40..79.
Csr two_kinds(Index rows) {
  Rng rng(1);
  std::vector<NodeId> row, column;
  for (Index i = 0; i < rows; ++i) {
    for (int w = 0; w < 10; ++w) {
      row.push_back(static_cast<NodeId>(i));
      column.push_back(static_cast<NodeId>(i % 2 * 40 + rng.below(40)));
    }
  }
  return csr_from_triplets(rows, 80, row, column, {}, Dup::kBinary);
}

TEST(KnnCellsTest, EveryRowIsInOneCellOfBoundedSize) {
  const knn::Rows rows = knn::prepare(two_kinds(1000));
  std::set<std::vector<NodeId>> trees;
  for (const int number : {0, 1, 2}) {
    const knn::Leaves leaves = knn::split_into_leaves(rows, 70, number);
    EXPECT_EQ(leaves.size(), 15);
    std::vector<NodeId> seen;
    for (Index c = 0; c < leaves.size(); ++c) {
      const auto leaf = leaves.leaf(c);
      EXPECT_LE(leaf.size(), 70u);
      EXPECT_GE(leaf.size(), 60u);
      EXPECT_TRUE(std::is_sorted(leaf.begin(), leaf.end()));
      seen.insert(seen.end(), leaf.begin(), leaf.end());
    }
    std::sort(seen.begin(), seen.end());
    std::vector<NodeId> every(1000);
    std::iota(every.begin(), every.end(), NodeId{0});
    EXPECT_EQ(seen, every);
    trees.insert(leaves.rows);
  }
  EXPECT_EQ(trees.size(), 3u);  // they fall differently
}

TEST(KnnCellsTest, ACutTellsDifferentRowsApart) {
  const knn::Rows rows = knn::prepare(two_kinds(1000));
  for (const int number : {0, 1, 2, 3, 4, 5}) {
    const knn::Leaves leaves = knn::split_into_leaves(rows, 125, number);
    Index mixed = 0;
    for (Index c = 0; c < leaves.size(); ++c) {
      const auto leaf = leaves.leaf(c);
      const Index odd = std::count_if(leaf.begin(), leaf.end(), [](NodeId i) { return i % 2; });
      mixed += std::min(odd, static_cast<Index>(leaf.size()) - odd);
    }
    EXPECT_LT(mixed, 250) << number;  // 500 by chance
  }
}

TEST(KnnCellsTest, EmptyRowsAreInNone) {
  Csr X{.rows = 3, .cols = 1};
  X.row_ptr = {0, 1, 1, 2};
  X.col = {0, 0};
  X.val = {1.0f, 1.0f};
  const knn::Leaves leaves = knn::split_into_leaves(knn::prepare(X), 1, 0);
  EXPECT_EQ(leaves.size(), 2);
  EXPECT_EQ(std::set(leaves.rows.begin(), leaves.rows.end()), (std::set<NodeId>{0, 2}));
}

}  // namespace
}  // namespace scrl
