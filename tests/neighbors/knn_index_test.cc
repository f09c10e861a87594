#include "neighbors/knn_index.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/rng.h"
#include "neighbors/knn.h"

namespace scrl {
namespace {

Csr random_rows(Index rows, Index cols, double share, std::uint64_t seed, bool counts) {
  Rng rng(seed, Purpose::kTest);
  Csr out{.rows = rows, .cols = cols};
  for (Index i = 0; i < rows; ++i) {
    for (Index c = 0; c < cols && i % 17 != 5; ++c)  // some rows are empty
      if (rng.uniform() < share) {
        out.col.push_back(static_cast<NodeId>(c));
        out.val.push_back(counts ? 1.0f : static_cast<float>(rng.uniform() - 0.3));
      }
    out.row_ptr.push_back(out.nnz());
  }
  return out;
}

// Asked about rows that are in the index, it finds each of them and then what nearest() finds.
TEST(KnnIndexTest, AgreesWithTheSearchAmongAllRows) {
  for (const bool counts : {false, true}) {
    const Csr X = random_rows(150, 40, 0.15, 2, counts);
    const Neighbours want = nearest(X, 4);
    const Csr got = KnnIndex(X).nearest(X, 150);
    const Csr five = KnnIndex(X).nearest(X, 5);
    for (Index i = 0; i < X.rows; ++i) {
      const auto all = got.row_cols(i);
      EXPECT_EQ(X.row_nnz(i) > 0, std::ranges::find(all, i) != all.end());
      std::vector<NodeId> others;
      for (const NodeId j : five.row_cols(i))
        if (j != i) others.push_back(j);
      for (const NodeId j : std::span(want.id.data() + i * 4, 4)) {
        if (j < 0) continue;
        EXPECT_NE(std::ranges::find(all, j), all.end());
        if (!counts) EXPECT_NE(std::ranges::find(others, j), others.end()) << i << " " << j;
      }
      EXPECT_LE(five.row_nnz(i), 5);
    }
  }
}

TEST(KnnIndexTest, AnswersEachRowByItself) {
  const Csr X = random_rows(300, 60, 0.1, 3, true), Q = random_rows(90, 60, 0.1, 4, false);
  const KnnIndex index(X);
  const Csr all = index.nearest(Q, 7);
  EXPECT_EQ(all.row_nnz(5), 0);  // an empty row is near to nobody
  for (Index q = 0; q < Q.rows; q += 11) {
    Csr one{.rows = 1, .cols = Q.cols};
    one.col.assign(Q.row_cols(q).begin(), Q.row_cols(q).end());
    one.val.assign(Q.row_vals(q).begin(), Q.row_vals(q).end());
    one.row_ptr.push_back(one.nnz());
    const Csr alone = index.nearest(one, 7);
    EXPECT_TRUE(std::ranges::equal(alone.row_cols(0), all.row_cols(q)));
  }
}

}  // namespace
}  // namespace scrl
