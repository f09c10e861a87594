#include "neighbors/knn_approximate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "base/parallel.h"
#include "base/rng.h"
#include "neighbors/knn_recall.h"

namespace scrl {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

// Rows of `words` features, most of them from the small vocabulary of a topic.
Csr topics(Index rows, Index count, Index words, std::uint64_t seed, bool binary = true) {
  constexpr Index kOwn = 30, kShared = 500;
  Rng rng(seed);
  std::vector<NodeId> row, column;
  std::vector<float> value;
  for (Index i = 0; i < rows; ++i) {
    const Index topic = static_cast<Index>(rng.below(count));
    for (Index w = 0; w < words; ++w) {
      const bool own = rng.uniform() < 0.8;
      row.push_back(static_cast<NodeId>(i));
      column.push_back(
          static_cast<NodeId>(own ? kShared + topic * kOwn + rng.below(kOwn) : rng.below(kShared)));
      value.push_back(binary ? 1.0f : static_cast<float>(rng.normal()));
    }
  }
  return csr_from_triplets(rows, kShared + count * kOwn, row, column, value,
                           binary ? Dup::kBinary : Dup::kSum);
}

constexpr ApproximateOptions kSmallCells{.leaf = 100, .trees = 6};

double recall_of(const Csr& X, const Neighbours& result) {
  return recall(X, result, sample_rows(X.rows, X.rows)).found;
}

TEST(KnnApproximateTest, FindsMostNeighboursInSmallCells) {
  const Csr X = topics(4000, 40, 15, 1);
  const double cells_alone =
      recall_of(X, nearest_approximate(X, 9, {.leaf = 100, .trees = 6, .rounds = 0}));
  const double refined = recall_of(X, nearest_approximate(X, 9, kSmallCells));
  EXPECT_GT(cells_alone, 0.6);
  EXPECT_GT(refined, 0.95);
  EXPECT_GT(refined, cells_alone);
  // Comparing as many pairs at random would find 6 * 100 of 4000.
  EXPECT_LT(recall_of(X, nearest_approximate(X, 9, {.leaf = 2, .trees = 1, .rounds = 0})), 0.2);
}

TEST(KnnApproximateTest, OneCellIsExact) {
  for (const bool binary : {true, false}) {
    const Csr X = topics(500, 10, 12, 2, binary);
    const Neighbours exact = nearest(X, 7), got = nearest_approximate(X, 7);
    EXPECT_EQ(got.id, exact.id);
    EXPECT_EQ(got.similarity, exact.similarity);
  }
}

TEST(KnnApproximateTest, TheSameBitsForAnyNumberOfThreads) {
  const Csr X = topics(3000, 20, 12, 3, /*binary=*/false);
  set_threads(1);
  const Neighbours one = nearest_approximate(X, 5, kSmallCells);
  for (const int count : {2, 3, 7}) {
    set_threads(count);
    const Neighbours many = nearest_approximate(X, 5, kSmallCells);
    EXPECT_EQ(many.id, one.id) << count;
    EXPECT_EQ(many.similarity, one.similarity) << count;
  }
  set_threads(0);
}

// What is returned is right, though not all of it: every entry has the similarity and the order
// that an exact search over all rows gives it.
TEST(KnnApproximateTest, EntriesAreThoseOfTheExactSearch) {
  const Csr X = topics(600, 12, 12, 4, /*binary=*/false);
  const int k = 6, all = 599;
  const Neighbours exact = nearest(X, all);
  const Neighbours got = nearest_approximate(X, k, {.leaf = 50, .trees = 3});
  for (Index i = 0; i < X.rows; ++i) {
    const NodeId* right = exact.id.data() + i * all;
    Index last = -1;
    for (int n = 0; n < k; ++n) {
      const NodeId j = got.id[i * k + n];
      if (j < 0) continue;
      ASSERT_NE(j, i);
      const Index rank = std::find(right, right + all, j) - right;
      ASSERT_LT(rank, all);   // similarity above 0
      ASSERT_GT(rank, last);  // in order, and no id twice
      ASSERT_EQ(got.similarity[i * k + n], exact.similarity[i * all + rank]);
      last = rank;
    }
  }
}

TEST(KnnApproximateTest, EmptyRowsHaveNoNeighboursAndAreNobodys) {
  Csr X = topics(400, 8, 10, 5);
  std::vector<NodeId> row, column;
  for (Index i = 0; i < X.rows; ++i) {
    for (const NodeId c : X.row_cols(i)) {
      if (i % 3 == 0) continue;
      row.push_back(static_cast<NodeId>(i));
      column.push_back(c);
    }
  }
  X = csr_from_triplets(X.rows, X.cols, row, column, {}, Dup::kBinary);
  const Neighbours got = nearest_approximate(X, 4, {.leaf = 40, .trees = 4});
  Index found = 0;
  for (Index i = 0; i < X.rows; ++i) {
    for (int n = 0; n < 4; ++n) {
      const NodeId j = got.id[i * 4 + n];
      EXPECT_TRUE(j == -1 || (i % 3 != 0 && j % 3 != 0)) << i << " lists " << j;
      found += j >= 0;
    }
  }
  EXPECT_GT(found, 1000);
}

// All rows equal: leaves hold equal rows only, whatever the cut, and everything is a tie.
TEST(KnnApproximateTest, EqualRowsAreNeighboursOfSimilarityOne) {
  const Csr one = topics(1, 1, 10, 6);
  Csr X{.rows = 300, .cols = one.cols};
  for (Index i = 0; i < X.rows; ++i) {
    X.col.insert(X.col.end(), one.col.begin(), one.col.end());
    X.val.insert(X.val.end(), one.val.begin(), one.val.end());
    X.row_ptr.push_back(X.nnz());
  }
  const Neighbours got = nearest_approximate(X, 5, {.leaf = 30, .trees = 2});
  EXPECT_THAT(got.similarity, Each(1.0f));
  for (Index i = 0; i < X.rows; ++i) {
    const std::set<NodeId> distinct(got.id.begin() + i * 5, got.id.begin() + i * 5 + 5);
    EXPECT_EQ(distinct.size(), 5u);
    EXPECT_FALSE(distinct.contains(static_cast<NodeId>(i)));
  }
}

TEST(KnnApproximateTest, MoreNeighboursThanRowsOrPerCell) {
  const Csr X = topics(60, 1, 30, 7);
  const Neighbours got = nearest_approximate(X, 100, {.leaf = 10, .trees = 8});
  EXPECT_GT(recall_of(X, got), 0.95);  // all rows are similar, and refinement reaches them all
  const Neighbours two = nearest_approximate(topics(2, 1, 30, 8), 3);
  EXPECT_THAT(two.id, ElementsAre(1, -1, -1, 0, -1, -1));
}

TEST(KnnApproximateTest, AnEmptyMatrixAndABadKAreHandled) {
  EXPECT_TRUE(nearest_approximate(Csr{}, 3).id.empty());
  EXPECT_THROW(nearest_approximate(Csr{}, 0), Error);
  EXPECT_THROW(nearest_approximate(Csr{}, kMaxNeighbours + 1), Error);
  Csr blank{.rows = 3, .cols = 2};
  blank.row_ptr = {0, 0, 0, 0};
  EXPECT_THAT(nearest_approximate(blank, 2).id, Each(-1));
}

}  // namespace
}  // namespace scrl
