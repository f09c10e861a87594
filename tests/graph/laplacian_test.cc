#include "graph/laplacian.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "base/error.h"
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

Csr complete(Index n) {
  Pairs edges;
  for (NodeId i = 0; i < n; ++i)
    for (NodeId j = i + 1; j < n; ++j) edges.emplace_back(i, j);
  return graph(n, edges);
}

Csr cycle(Index n) {
  Pairs edges;
  for (NodeId i = 0; i < n; ++i) edges.push_back({i, static_cast<NodeId>((i + 1) % n)});
  return graph(n, edges);
}

Dense dense(const Csr& A) {
  Dense out(static_cast<std::size_t>(A.rows), std::vector<double>(A.cols, 0.0));
  for (Index i = 0; i < A.rows; ++i)
    for (Index e = A.row_ptr[i]; e < A.row_ptr[i + 1]; ++e) out[i][A.col[e]] += A.val[e];
  return out;
}

void expect_near(const Dense& got, const Dense& want) {
  ASSERT_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < want.size(); ++i)
    for (std::size_t j = 0; j < want.size(); ++j)
      EXPECT_NEAR(got[i][j], want[i][j], 1e-7) << i << "," << j;
}

void expect_sorted(const Csr& A) {
  ASSERT_EQ(A.row_ptr.size(), static_cast<std::size_t>(A.rows) + 1);
  ASSERT_EQ(A.row_ptr.back(), A.nnz());
  for (Index i = 0; i < A.rows; ++i)
    for (Index e = A.row_ptr[i] + 1; e < A.row_ptr[i + 1]; ++e)
      EXPECT_LT(A.col[e - 1], A.col[e]) << "row " << i;
}

TEST(LaplacianTest, OfAPath) {
  // 0 - 1 - 2: degrees 1, 2, 1.
  const double r = -1 / std::numbers::sqrt2;
  const Csr L = laplacian(graph(3, {{0, 1}, {1, 2}}));
  expect_sorted(L);
  expect_near(dense(L), {{1, r, 0}, {r, 1, r}, {0, r, 1}});
}

TEST(LaplacianTest, LeavesOutSelfLoops) {
  const Csr with = laplacian(graph(3, {{0, 1}, {1, 1}, {1, 2}, {2, 2}}));
  expect_sorted(with);
  expect_near(dense(with), dense(laplacian(graph(3, {{0, 1}, {1, 2}}))));
}

TEST(LaplacianTest, GivesANodeAloneTheUnitRow) {
  // Node 1 has no edge, node 3 only a loop.
  const Csr L = laplacian(graph(4, {{0, 2}, {3, 3}}));
  expect_sorted(L);
  expect_near(dense(L), {{1, 0, -1, 0}, {0, 1, 0, 0}, {-1, 0, 1, 0}, {0, 0, 0, 1}});
}

TEST(LaplacianTest, HeedsWeights) {
  // 0 =3= 1 - 2: degrees 3, 4, 1.
  Csr A = graph(3, {{0, 1}, {1, 2}});
  for (Index i = 0; i < 3; ++i)
    for (Index e = A.row_ptr[i]; e < A.row_ptr[i + 1]; ++e)
      A.val[e] = i + A.col[e] == 1 ? 3.0f : 1.0f;
  const double a = -3 / std::sqrt(12.0), b = -0.5;
  expect_near(dense(laplacian(A)), {{1, a, 0}, {a, 1, b}, {0, b, 1}});
}

TEST(LaplacianTest, OfNothing) {
  const Csr L = laplacian(graph(0, {}));
  EXPECT_EQ(L.rows, 0);
  EXPECT_EQ(L.nnz(), 0);
  EXPECT_EQ(largest_eigenvalue(L), 0);
  EXPECT_EQ(scaled_laplacian(graph(0, {})).rows, 0);
  Csr oblong{.rows = 1, .cols = 2};
  oblong.row_ptr = {0, 0};
  EXPECT_THROW(laplacian(oblong), Error);
}

TEST(LargestEigenvalueTest, OfCompleteGraphs) {
  for (const Index n : {2, 3, 5, 20})
    EXPECT_NEAR(largest_eigenvalue(laplacian(complete(n))),
                static_cast<double>(n) / static_cast<double>(n - 1), 1e-6)
        << n;
}

TEST(LargestEigenvalueTest, OfBipartiteGraphsIsTwo) {
  EXPECT_NEAR(largest_eigenvalue(laplacian(graph(5, {{0, 1}, {0, 2}, {0, 3}, {0, 4}}))), 2, 1e-6);
  EXPECT_NEAR(largest_eigenvalue(laplacian(graph(4, {{0, 1}, {1, 2}, {2, 3}}))), 2, 1e-6);
  EXPECT_NEAR(largest_eigenvalue(laplacian(cycle(10))), 2, 1e-6);
  // A second component and a node alone do not lower it.
  EXPECT_NEAR(largest_eigenvalue(laplacian(graph(6, {{0, 1}, {1, 2}, {0, 2}, {3, 4}}))), 2, 1e-6);
}

TEST(LargestEigenvalueTest, OfOddCycles) {
  // 1 - cos(2 pi k / n), largest for k = (n-1)/2.
  for (const Index n : {3, 5, 9})
    EXPECT_NEAR(largest_eigenvalue(laplacian(cycle(n))),
                1 + std::cos(std::numbers::pi / static_cast<double>(n)), 1e-6)
        << n;
}

TEST(LargestEigenvalueTest, OfDiagonalsAndZeros) {
  Csr D{.rows = 3, .cols = 3};
  D.row_ptr = {0, 1, 2, 3}, D.col = {0, 1, 2}, D.val = {0.5f, 4.0f, 1.0f};
  EXPECT_NEAR(largest_eigenvalue(D), 4, 1e-8);
  D.val = {0.0f, 0.0f, 0.0f};
  EXPECT_EQ(largest_eigenvalue(D), 0);
}

TEST(ScaledLaplacianTest, OfTheTriangle) {
  // L = I - A / 2, lambda = 3/2: (4/3) L - I = I / 3 - (2/3) A.
  const double a = 1.0 / 3, b = -2.0 / 3;
  const Csr S = scaled_laplacian(complete(3));
  expect_sorted(S);
  expect_near(dense(S), {{a, b, b}, {b, a, b}, {b, b, a}});
}

TEST(ScaledLaplacianTest, HasEigenvaluesFromMinusOneToOne) {
  // Of a bipartite graph it is L - I: the ends of the spectrum are those of +-D^1/2 1.
  const Csr S = scaled_laplacian(graph(4, {{0, 1}, {1, 2}, {2, 3}}));
  const double x[] = {1, std::numbers::sqrt2, std::numbers::sqrt2, 1};
  const Dense d = dense(S);
  for (int i = 0; i < 4; ++i) {
    double low = 0, high = 0;
    for (int j = 0; j < 4; ++j) {
      low += d[i][j] * x[j];
      high += d[i][j] * (j % 2 ? -x[j] : x[j]);
    }
    EXPECT_NEAR(low, -x[i], 1e-6);
    EXPECT_NEAR(high, i % 2 ? -x[i] : x[i], 1e-6);
  }
}

// L = I then, whose largest eigenvalue is 1.
TEST(ScaledLaplacianTest, WithoutEdgesIsTheIdentity) {
  expect_near(dense(scaled_laplacian(graph(3, {}))), {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}});
}

}  // namespace
}  // namespace scrl
