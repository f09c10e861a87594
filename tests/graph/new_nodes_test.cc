#include "graph/new_nodes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "graph/laplacian.h"
#include "graph/two_hop.h"

namespace scrl {
namespace {

using Dense = std::vector<std::vector<double>>;

constexpr Index kKnown = 20, kNew = 6;

Dense dense(const Csr& A) {
  Dense out(static_cast<std::size_t>(A.rows), std::vector<double>(A.cols, 0.0));
  for (Index i = 0; i < A.rows; ++i)
    for (Index e = A.row_ptr[i]; e < A.row_ptr[i + 1]; ++e) out[i][A.col[e]] += A.val[e];
  return out;
}

// Rows of new nodes over known and new columns.
Dense dense(const NewEdges& e) {
  Dense out = dense(e.known), own = dense(e.own);
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i].insert(out[i].end(), own[i].begin(), own[i].end());
  return out;
}

struct Case {
  Csr graph;       // weighted, with loops
  NewEdges edges;  // among themselves too
};

Case random_case() {
  Rng rng(5, Purpose::kTest);
  Edges known;
  for (NodeId i = 0; i < kKnown - 2; ++i)  // the last two have no neighbours
    for (NodeId j = i; j < kKnown - 2; ++j)
      if (rng.uniform() < (i == j ? 0.2 : 0.25)) {
        known.source.push_back(i), known.target.push_back(j);
        known.weight.push_back(static_cast<float>(0.5 + rng.uniform()));
      }
  std::vector<NodeId> a, b, c, d;
  std::vector<float> w, v;
  for (NodeId i = 0; i < kNew - 1; ++i) {  // the last new node has no edges
    for (NodeId j = 0; j < kKnown; ++j)
      if (rng.uniform() < 0.3) {
        a.push_back(i), b.push_back(j), w.push_back(static_cast<float>(0.5 + rng.uniform()));
      }
    for (NodeId j = i; j < kNew - 1; ++j)
      if (rng.uniform() < 0.4) {
        c.push_back(i), d.push_back(j), v.push_back(static_cast<float>(0.5 + rng.uniform()));
      }
  }
  return {adjacency(kKnown, known, Dup::kSum),
          adjacency({csr_from_triplets(kNew, kKnown, a, b, w, Dup::kSum),
                     csr_from_triplets(kNew, kNew, c, d, v, Dup::kSum)},
                    Dup::kSum)};
}

// All nodes; known ones do not see new ones.
Dense extended(const Case& c) {
  Dense out = dense(c.graph);
  for (auto& row : out) row.resize(kKnown + kNew, 0.0);
  for (auto& row : dense(c.edges)) out.push_back(row);
  return out;
}

void expect_rows(const Dense& got, const Dense& want) {
  ASSERT_EQ(got.size(), static_cast<std::size_t>(kNew));
  for (Index i = 0; i < kNew; ++i)
    for (Index j = 0; j < kKnown + kNew; ++j)
      EXPECT_NEAR(got[i][j], want[kKnown + i][j], 2e-6) << i << "," << j;
}

TEST(NewNodesTest, PropagationHasTheDegreesOfWhatEachNodeSees) {
  const Case c = random_case();
  for (const Norm norm : {Norm::kRw, Norm::kSym}) {
    Dense A = extended(c);
    std::vector<double> degree(A.size(), 0.0);
    for (std::size_t i = 0; i < A.size(); ++i) {
      A[i][i] += 1;
      for (const double w : A[i]) degree[i] += w;
    }
    for (std::size_t i = 0; i < A.size(); ++i)
      for (std::size_t j = 0; j < A.size(); ++j)
        A[i][j] = 0.7 * (norm == Norm::kRw ? A[i][j] / degree[i]
                                           : A[i][j] / std::sqrt(degree[i] * degree[j])) +
                  (i == j ? 0.3 : 0.0);
    const Propagation known = propagation(c.graph, norm, 0.3);
    EXPECT_EQ(known.degree.empty(), norm == Norm::kRw);
    expect_rows(dense(propagation(c.edges, norm, 0.3, known.degree)), A);
  }
}

TEST(NewNodesTest, LaplacianKeepsItsScale) {
  const Case c = random_case();
  double largest = 0;
  const Csr L = scaled_laplacian(c.graph, &largest);
  ASSERT_GT(largest, 0.5);
  Dense A = extended(c);
  std::vector<double> degree(A.size(), 0.0);
  for (std::size_t i = 0; i < A.size(); ++i) {
    A[i][i] = 0;
    for (const double w : A[i]) degree[i] += w;
  }
  for (std::size_t i = 0; i < A.size(); ++i)
    for (std::size_t j = 0; j < A.size(); ++j) {
      const double d = degree[i] * (degree[j] > 0 ? degree[j] : 1);
      A[i][j] = i == j ? 2 / largest - 1 : d > 0 ? -2 / largest * A[i][j] / std::sqrt(d) : 0;
    }
  expect_rows(dense(scaled_laplacian(c.edges, c.graph, largest)), A);
}

// The same function over the whole graph, whose known nodes see no new ones, is what is wanted.
TEST(NewNodesTest, TwoHopsGoThroughWhatNeighboursSee) {
  const Case c = random_case();
  const TwoHop known = two_hop(c.graph);
  const NewTwoHop got = two_hop(c.edges, c.graph, known.scale);
  Dense A = extended(c);
  const std::size_t n = A.size();
  std::vector<double> degree(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    A[i][i] = 0;
    for (double& w : A[i]) w = w != 0, degree[i] += w;
  }
  Dense N2(n, std::vector<double>(n, 0.0));
  std::vector<double> scale(n, 0.0);
  for (std::size_t i = 0; i < n; ++i) {
    double total = 0;
    for (std::size_t j = 0; j < n; ++j) {
      if (i == j || A[i][j] > 0) continue;
      for (std::size_t k = 0; k < n; ++k)
        if (A[i][k] > 0 && A[k][j] > 0) N2[i][j] += 1 / degree[k];
      total += N2[i][j];
    }
    if (total > 1e-9) scale[i] = 1 / std::sqrt(total);
  }
  for (Index i = 0; i < kKnown; ++i) EXPECT_NEAR(known.scale[i], scale[i], 1e-6);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) N2[i][j] *= scale[i] * scale[j];
  // walk back + rest, where back has the rows of the known nodes too.
  Dense back = dense(known.walk);  // transposed
  Dense product = dense(got.rest), walk = dense(got.walk), new_back = dense(got.back);
  for (Index i = 0; i < kNew; ++i)
    for (Index j = 0; j < kKnown + kNew; ++j) {
      for (Index k = 0; k < kKnown; ++k)
        if (j < kKnown) product[i][j] += walk[i][k] * back[j][k];
      for (Index k = 0; k < kNew; ++k) product[i][j] += walk[i][kKnown + k] * new_back[k][j];
    }
  expect_rows(product, N2);
}

TEST(NewNodesTest, PatternsAreNormalisedByCounts) {
  const Case c = random_case();
  const Dense near = dense(sym_normalized_without_loops(c.edges, c.graph));
  const Dense loops = dense(sym_normalized_pattern(c.edges, c.graph));
  Dense A = extended(c);
  std::vector<double> degree(A.size(), 0.0);
  for (std::size_t i = 0; i < A.size(); ++i) {
    A[i][i] = 0;
    for (double& w : A[i]) w = w != 0, degree[i] += w;
  }
  Dense B = A;
  for (std::size_t i = 0; i < A.size(); ++i)
    for (std::size_t j = 0; j < A.size(); ++j) {
      const double d = degree[i] * std::max(1.0, degree[j]);
      B[i][j] = (A[i][j] + (i == j)) / std::sqrt((degree[i] + 1) * (degree[j] + 1));
      A[i][j] = d > 0 ? A[i][j] / std::sqrt(d) : 0;
    }
  expect_rows(near, A);
  expect_rows(loops, B);
}

}  // namespace
}  // namespace scrl
