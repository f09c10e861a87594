#include "ranks/halo.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "base/rng.h"
#include "support/thread_ranks.h"

namespace scrl {
namespace {

using ::testing::Each;
using ::testing::IsEmpty;

Csr random_graph(Index nodes, double density, std::uint64_t seed) {
  Csr a;
  a.rows = a.cols = nodes;
  Rng rng(seed);
  for (Index i = 0; i < nodes; ++i) {
    for (Index j = 0; j < nodes; ++j) {
      if (rng.uniform() >= density) continue;
      a.col.push_back(static_cast<NodeId>(j));
      a.val.push_back(static_cast<float>(rng.uniform()));
    }
    a.row_ptr.push_back(a.nnz());
  }
  return a;
}

Csr rows_of(const Csr& a, Index begin, Index end) {
  Csr out{.rows = end - begin, .cols = a.cols};
  for (Index i = begin; i < end; ++i) {
    out.col.insert(out.col.end(), a.row_cols(i).begin(), a.row_cols(i).end());
    out.val.insert(out.val.end(), a.row_vals(i).begin(), a.row_vals(i).end());
    out.row_ptr.push_back(out.nnz());
  }
  return out;
}

float value(Index row, Index column) { return static_cast<float>(1000 * row + column); }

// Every entry of a row meets the same values in the same order as in the whole matrix.
TEST(HaloTest, LocalRowsMeetTheSameValuesInTheSameOrder) {
  constexpr Index kNodes = 60;
  for (const double density : {0.0, 0.02, 0.3}) {
    const Csr A = random_graph(kNodes, density, 1);
    for (const std::vector<Index>& first :
         {std::vector<Index>{0, 60}, {0, 20, 60}, {0, 20, 20, 60}, {0, 7, 30, 31, 59, 60}}) {
      for (const Index h : {1, 33, 70}) {
        for (const Layout layout : {Layout::kRows, Layout::kPanels}) {
          const int size = static_cast<int>(first.size()) - 1;
          SCOPED_TRACE(cat("density=", density, " ranks=", size, " h=", h));
          std::atomic<Index> sent = 0, halo_rows = 0;
          const auto errors = run_ranks(size, 2, [&](Communicator& ranks) {
            const Index begin = first[static_cast<std::size_t>(ranks.rank())];
            const Index end = first[static_cast<std::size_t>(ranks.rank()) + 1];
            const Csr rows = rows_of(A, begin, end);
            const Halo halo(ranks, first, rows);
            ASSERT_EQ(halo.own(), end - begin);
            const Csr local = halo.local(rows);
            ASSERT_EQ(local.cols, halo.rows());
            Matrix x(halo.rows(), h, layout);
            for (Index i = begin; i < end; ++i)
              for (Index j = 0; j < h; ++j) x(halo.below() + i - begin, j) = value(i, j);
            const Index before = ranks.bytes_sent();
            halo.fetch(x);
            sent += ranks.bytes_sent() - before;
            halo_rows += halo.below() + halo.above();
            EXPECT_EQ(ranks.bytes_sent() - before, halo.rows_sent() * h * 4);
            for (Index e = 0; e < rows.nnz(); ++e)
              for (Index j = 0; j < h; ++j)
                ASSERT_EQ(x(local.col[e], j), value(rows.col[e], j)) << e << "," << j;
            for (Index i = 0; i < local.rows; ++i)
              EXPECT_TRUE(std::ranges::is_sorted(local.row_cols(i)));
            EXPECT_EQ(local.val, rows.val);
            std::set<NodeId> others;
            for (const NodeId c : rows.col)
              if (c < begin || c >= end) others.insert(c);
            EXPECT_EQ(halo.below() + halo.above(), static_cast<Index>(others.size()));
          });
          EXPECT_THAT(errors, Each(IsEmpty()));
          EXPECT_EQ(sent, halo_rows * h * 4) << "every halo row travels once";
        }
      }
    }
  }
}

TEST(HaloTest, MistakesAreErrorsOnAllRanks) {
  const Csr A = random_graph(10, 0.3, 2);
  const auto wrong_rows = run_ranks(2, 1, [&](Communicator& ranks) {
    Halo(ranks, {0, 5, 10}, rows_of(A, 0, 4));
  });
  EXPECT_THAT(wrong_rows, Each(std::string("1 rank 0: halo: rank 0 owns 5 rows, got 4")));
  const auto wrong_division = run_ranks(2, 1, [&](Communicator& ranks) {
    Halo(ranks, {0, 5, 11}, rows_of(A, 0, 5));
  });
  EXPECT_THAT(wrong_division, Each(::testing::HasSubstr("not divided among 2 ranks")));
  const auto wrong_matrix = run_ranks(2, 1, [&](Communicator& ranks) {
    const Index begin = ranks.rank() * 5;
    const Halo halo(ranks, {0, 5, 10}, rows_of(A, begin, begin + 5));
    Matrix x(3, 2);
    halo.fetch(x);
  });
  EXPECT_THAT(wrong_matrix, Each(::testing::HasSubstr("halo: a matrix of 3 rows")));
}

}  // namespace
}  // namespace scrl
