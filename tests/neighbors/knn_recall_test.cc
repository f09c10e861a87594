#include "neighbors/knn_recall.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/rng.h"

namespace scrl {
namespace {

using ::testing::ElementsAre;

// Rows 0, 1, 2 have the feature 0; row 1 also 1, row 2 also 1 and 2; row 3 has 3 alone.
Csr example() {
  Csr X{.rows = 4, .cols = 4};
  X.row_ptr = {0, 1, 3, 6, 7};
  X.col = {0, 0, 1, 0, 1, 2, 3};
  X.val.assign(7, 1.0f);
  return X;
}

TEST(KnnRecallTest, CountsByHand) {
  const Csr X = example();
  const std::vector<NodeId> rows = sample_rows(4, 100);
  ASSERT_THAT(rows, ElementsAre(0, 1, 2, 3));
  Neighbours result = nearest(X, 1);
  EXPECT_EQ(recall(X, result, rows).found, 1);
  EXPECT_EQ(recall(X, result, rows).similarity, 1);
  // Row 3 has no neighbour to be found; row 0 now names row 2 instead of row 1.
  const double right = result.similarity[0] + result.similarity[1] + result.similarity[2];
  const double less = 1 / std::sqrt(3.0) - result.similarity[0];
  result.similarity[0] = static_cast<float>(1 / std::sqrt(3.0));
  EXPECT_DOUBLE_EQ(recall(X, result, rows).found, 2.0 / 3);
  EXPECT_NEAR(recall(X, result, rows).similarity, 1 + less / right, 1e-6);
}

// A result that lacks the last two of four neighbours of every other row: 0.75 of all.
TEST(KnnRecallTest, TheIntervalHasTheTruthAsOftenAsItSays) {
  constexpr Index kRows = 2000;
  constexpr int kFour = 4;
  Csr X{.rows = kRows, .cols = kRows / 8};
  for (Index i = 0; i < kRows; ++i) {  // groups of eight equal rows
    X.col.push_back(static_cast<NodeId>(i / 8));
    X.val.push_back(1);
    X.row_ptr.push_back(X.nnz());
  }
  Neighbours result = nearest(X, kFour);
  Rng rng(7);
  Index missing = 0;
  for (Index i = 0; i < kRows; ++i) {
    if (rng.below(2) == 0) continue;
    missing += 2;
    result.similarity[i * kFour + 2] = result.similarity[i * kFour + 3] = 0;
  }
  const double truth = 1 - static_cast<double>(missing) / (kRows * kFour);
  const Recall all = recall(X, result, sample_rows(kRows, kRows));
  EXPECT_DOUBLE_EQ(all.found, truth);
  EXPECT_EQ(all.low, all.found);
  EXPECT_EQ(all.high, all.found);
  int inside = 0;
  constexpr int kDraws = 200, kSample = 50;
  for (int draw = 0; draw < kDraws; ++draw) {
    std::vector<NodeId> sample;
    for (int n = 0; n < kSample; ++n) sample.push_back(static_cast<NodeId>(rng.below(kRows)));
    const Recall some = recall(X, result, sample);
    EXPECT_EQ(some.rows, kSample);
    EXPECT_LE(some.low, some.found);
    EXPECT_LT(some.high - some.low, 0.2);
    inside += some.low <= truth && truth <= some.high;
  }
  EXPECT_GE(inside, 180);  // 190 are expected, with a deviation of 3
}

TEST(KnnRecallTest, FindingAllInASampleIsNotCertainty) {
  const Csr X = example();
  const Recall some = recall(X, nearest(X, 1), std::vector<NodeId>{0, 1});
  EXPECT_EQ(some.found, 1);
  EXPECT_EQ(some.high, 1);
  EXPECT_LT(some.low, 0.8);
}

TEST(KnnRecallTest, AnEqualNeighbourIsFound) {
  Csr X{.rows = 3, .cols = 1};
  X.row_ptr = {0, 1, 2, 3};
  X.col = {0, 0, 0};
  X.val.assign(3, 1.0f);
  Neighbours result = nearest(X, 1);
  ASSERT_EQ(result.id[0], 1);
  result.id[0] = 2;  // as similar
  EXPECT_EQ(recall(X, result, sample_rows(3, 3)).found, 1);
}

TEST(KnnRecallTest, ASampleIsDistinctAndAscending) {
  const std::vector<NodeId> rows = sample_rows(1000, 100);
  EXPECT_EQ(rows.size(), 100u);
  EXPECT_TRUE(std::is_sorted(rows.begin(), rows.end()));
  EXPECT_EQ(std::adjacent_find(rows.begin(), rows.end()), rows.end());
  EXPECT_GT(rows.back(), 900);
}

}  // namespace
}  // namespace scrl
