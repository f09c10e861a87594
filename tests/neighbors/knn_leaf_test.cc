#include "neighbors/knn_leaf.h"

#include <gtest/gtest.h>

#include <numeric>

#include "base/parallel.h"
#include "base/rng.h"
#include "neighbors/knn.h"

namespace scrl {
namespace {

enum class Values { kOnes, kReal, kNegativeToo };

Csr some_rows(Index rows, Index words, Values values) {
  constexpr Index kCols = 200;
  Rng rng(3);
  std::vector<NodeId> row, column;
  std::vector<float> value;
  for (Index i = 0; i < rows; ++i) {
    if (i % 50 == 7) continue;  // an empty row
    const Index count = 1 + static_cast<Index>(rng.below(2 * words));
    for (Index w = 0; w < count; ++w) {
      row.push_back(static_cast<NodeId>(i));
      column.push_back(static_cast<NodeId>(rng.below(kCols)));
      value.push_back(values == Values::kReal ? static_cast<float>(rng.uniform())
                                              : static_cast<float>(rng.normal()));
    }
  }
  if (values == Values::kOnes) value.clear();
  return csr_from_triplets(rows, kCols, row, column, value,
                           values == Values::kOnes ? Dup::kBinary : Dup::kSum);
}

// The lists of a leaf of all rows are those of the exact search, bit by bit.
void expect_exact(const Csr& X, int k) {
  const knn::Rows rows = knn::prepare(X);
  std::vector<NodeId> every(static_cast<std::size_t>(X.rows));
  std::iota(every.begin(), every.end(), NodeId{0});
  const Neighbours exact = nearest(X, k);
  for (const int threads : {1, 3}) {
    const ThreadScope scope(threads);
    knn::Lists lists(X.rows, k);
    knn::compare_within(rows, every, lists);
    EXPECT_EQ(lists.id, exact.id);
    for (Index i = 0; i < X.rows * k; ++i) {
      const NodeId j = lists.id[i];
      if (j < 0) continue;
      ASSERT_EQ(knn::Best::cosine(lists.dot[i], rows.squares[i / k] * rows.squares[j]),
                exact.similarity[i]);
    }
  }
}

TEST(KnnLeafTest, ComparesAllRowsExactly) {
  for (const Values values : {Values::kOnes, Values::kReal, Values::kNegativeToo}) {
    SCOPED_TRACE(static_cast<int>(values));
    expect_exact(some_rows(700, 8, values), 5);
  }
}

TEST(KnnLeafTest, MoreRowsThanATileHas) { expect_exact(some_rows(17000, 3, Values::kOnes), 4); }

TEST(KnnLeafTest, OnesAreToldFromOtherValues) {
  EXPECT_TRUE(knn::prepare(some_rows(100, 5, Values::kOnes)).ones);
  EXPECT_FALSE(knn::prepare(some_rows(100, 5, Values::kReal)).ones);
  Csr zeros{.rows = 2, .cols = 2};  // stored zeros count for nothing
  zeros.row_ptr = {0, 1, 2};
  zeros.col = {0, 0};
  zeros.val = {0, 1};
  EXPECT_FALSE(knn::prepare(zeros).ones);
  zeros.val = {2, 0.5};  // one value per row: scaled, it is 1
  EXPECT_TRUE(knn::prepare(zeros).ones);
}

TEST(KnnLeafTest, SparserRowsGetLargerLeaves) {
  const knn::Rows sparse = knn::prepare(some_rows(1000, 3, Values::kOnes));
  const knn::Rows dense = knn::prepare(some_rows(1000, 40, Values::kOnes));
  EXPECT_GT(knn::leaf_for_time(sparse, 1e4), 2 * knn::leaf_for_time(dense, 1e4));
  EXPECT_NEAR(static_cast<double>(knn::leaf_for_time(sparse, 2e4)),
              2.0 * static_cast<double>(knn::leaf_for_time(sparse, 1e4)), 2);
}

}  // namespace
}  // namespace scrl
