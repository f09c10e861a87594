#include "graph/two_hop.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "graph/adjacency.h"

namespace scrl {
namespace {

using Dense = std::vector<std::vector<double>>;
using Pairs = std::vector<std::pair<NodeId, NodeId>>;

Csr graph(Index nodes, const Pairs& pairs) {
  Edges edges;
  for (const auto& [i, j] : pairs) edges.source.push_back(i), edges.target.push_back(j);
  return adjacency(nodes, edges, Dup::kSum);
}

Dense dense(const Csr& A) {
  Dense out(static_cast<std::size_t>(A.rows), std::vector<double>(A.cols, 0.0));
  for (Index i = 0; i < A.rows; ++i)
    for (Index e = A.row_ptr[i]; e < A.row_ptr[i + 1]; ++e) out[i][A.col[e]] += A.val[e];
  return out;
}

// walk walk^T + rest.
Dense product(const TwoHop& two) {
  const Dense walk = dense(two.walk);
  Dense out = dense(two.rest);
  for (std::size_t i = 0; i < out.size(); ++i)
    for (std::size_t j = 0; j < out.size(); ++j)
      for (std::size_t k = 0; k < out.size(); ++k) out[i][j] += walk[i][k] * walk[j][k];
  return out;
}

TEST(TwoHopTest, AreThePairsWithACommonNeighbourThatAreNoNeighbours) {
  Rng rng(3, Purpose::kTest);
  const Index n = 24;
  Pairs pairs = {{5, 5}, {0, 1}, {0, 1}};  // a loop, and an edge twice
  for (NodeId i = 0; i < n - 2; ++i)       // the last two nodes have no neighbours
    for (NodeId j = i + 1; j < n - 2; ++j)
      if (rng.uniform() < 0.12) pairs.emplace_back(i, j);
  const Csr given = graph(n, pairs);
  const Dense A = dense(without_loops(given));
  std::vector<double> degree(n, 0), total(n, 0);
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) degree[i] += A[i][j];
  Dense want(n, std::vector<double>(n, 0.0));
  bool some = false;
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      if (i == j || A[i][j] > 0) continue;
      for (Index k = 0; k < n; ++k)
        if (A[i][k] > 0 && A[k][j] > 0) want[i][j] += 1 / degree[k];
      total[i] += want[i][j];
      some |= want[i][j] > 0;
    }
  ASSERT_TRUE(some);
  const Dense got = product(two_hop(given));
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < n; ++j) {
      if (want[i][j] > 0) want[i][j] /= std::sqrt(total[i] * total[j]);
      EXPECT_NEAR(got[i][j], want[i][j], 1e-6) << i << "," << j;
    }
}

TEST(TwoHopTest, AreNoneInAClique) {
  const TwoHop two = two_hop(graph(4, {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}));
  for (const Csr* part : {&two.walk, &two.rest})
    for (const float v : part->val) EXPECT_EQ(v, 0.0f);
}

TEST(TwoHopTest, OfAPathAreItsEnds) {
  const Dense got = product(two_hop(graph(3, {{0, 1}, {1, 2}})));
  const Dense want = {{0, 0, 1}, {0, 0, 0}, {1, 0, 0}};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(got[i][j], want[i][j], 1e-6) << i << "," << j;
}

TEST(TwoHopTest, NeighboursAreSymNormalizedWithoutLoops) {
  const Dense got = dense(sym_normalized_without_loops(graph(4, {{0, 1}, {1, 2}, {2, 2}})));
  const double w = 1 / std::sqrt(2.0);
  const Dense want = {{0, w, 0, 0}, {w, 0, w, 0}, {0, w, 0, 0}, {0, 0, 0, 0}};
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) EXPECT_NEAR(got[i][j], want[i][j], 1e-6) << i << "," << j;
}

}  // namespace
}  // namespace scrl
