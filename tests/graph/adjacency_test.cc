#include "graph/adjacency.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "base/rng.h"
#include "support/errors.h"

namespace scrl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using Dense = std::vector<std::vector<double>>;

Dense dense(const Csr& a) {
  Dense out(a.rows, std::vector<double>(a.cols));
  for (Index i = 0; i < a.rows; ++i) {
    for (Index e = a.row_ptr[i]; e < a.row_ptr[i + 1]; ++e) out[i][a.col[e]] = a.val[e];
  }
  return out;
}

Edges random_edges(Index nodes, Index rows, std::uint64_t seed, bool weighted) {
  Rng rng(seed);
  Edges edges;
  for (Index e = 0; e < rows; ++e) {
    edges.source.push_back(static_cast<NodeId>(rng.below(nodes)));
    edges.target.push_back(static_cast<NodeId>(rng.below(nodes)));
    if (weighted) edges.weight.push_back(static_cast<float>(1 + rng.below(8)) / 4);
  }
  return edges;
}

TEST(AdjacencyTest, AgreesWithDenseMatrices) {
  for (const bool weighted : {false, true}) {
    for (const Dup dup : {Dup::kSum, Dup::kBinary}) {
      const Edges edges = random_edges(20, 150, 3, weighted);  // many repeats and loops
      Dense a(20, std::vector<double>(20));
      for (Index e = 0; e < edges.size(); ++e) {
        double& cell = a[edges.source[e]][edges.target[e]];
        cell = dup == Dup::kBinary ? 1 : cell + (weighted ? edges.weight[e] : 1);
      }
      Dense expected = a;
      for (int i = 0; i < 20; ++i) {
        for (int j = 0; j < 20; ++j) expected[i][j] = std::max(a[i][j], a[j][i]);
      }
      const Csr got = adjacency(20, edges, dup);
      validate(got, "adjacency");
      EXPECT_EQ(dense(got), expected);
    }
  }
}

TEST(AdjacencyTest, NormalizedMatchesTheDefinition) {
  const Csr A = adjacency(15, random_edges(15, 40, 9, true), Dup::kSum);
  Dense tilde = dense(A);
  std::vector<double> degree(15);
  for (int i = 0; i < 15; ++i) {
    tilde[i][i] += 1;
    for (const double w : tilde[i]) degree[i] += w;
  }
  const Dense rw = dense(normalized(A, Norm::kRw)), sym = dense(normalized(A, Norm::kSym));
  for (int i = 0; i < 15; ++i) {
    double sum = 0;
    for (int j = 0; j < 15; ++j) {
      EXPECT_FLOAT_EQ(rw[i][j], tilde[i][j] / degree[i]);
      EXPECT_FLOAT_EQ(sym[i][j], tilde[i][j] / std::sqrt(degree[i] * degree[j]));
      EXPECT_EQ(sym[i][j], sym[j][i]);  // to the last bit
      sum += rw[i][j];
    }
    EXPECT_NEAR(sum, 1, 1e-6);
  }
}

TEST(AdjacencyTest, IsolatedNodesKeepThemselvesAndLoopsGrowByOne) {
  const Edges edges{.source = {1}, .target = {1}};
  const Csr A = adjacency(3, edges, Dup::kSum);
  EXPECT_EQ(A.nnz(), 1);
  const Csr S = normalized(A, Norm::kRw);
  EXPECT_THAT(S.col, ElementsAre(0, 1, 2));
  EXPECT_THAT(S.val, ElementsAre(1, 1, 1));
}

TEST(AdjacencyTest, TheBackwardOperatorIsTheTranspose) {
  const Csr A = adjacency(12, random_edges(12, 30, 4, true), Dup::kSum);
  const Propagation p = propagation(A, Norm::kRw);
  const Dense forward = dense(p.forward), backward = dense(p.backward);
  for (int i = 0; i < 12; ++i) {
    for (int j = 0; j < 12; ++j) EXPECT_EQ(forward[i][j], backward[j][i]);
  }
}

TEST(AdjacencyTest, AShareOfEveryStepStaysWhereItIs) {
  const Csr A = adjacency(12, random_edges(12, 30, 4, true), Dup::kSum);
  for (const Norm norm : {Norm::kRw, Norm::kSym}) {
    const Dense plain = dense(normalized(A, norm));
    const Propagation p = propagation(A, norm, 0.25);
    const Dense forward = dense(p.forward), backward = dense(p.backward);
    for (int i = 0; i < 12; ++i) {
      for (int j = 0; j < 12; ++j) {
        EXPECT_FLOAT_EQ(forward[i][j], 0.75f * plain[i][j] + (i == j ? 0.25f : 0.0f));
        EXPECT_EQ(forward[i][j], backward[j][i]);
      }
    }
  }
}

TEST(AdjacencyTest, WeightsThatOverflowAreNamed) {
  const float huge = std::numeric_limits<float>::max();
  const Edges edges{.source = {0, 0}, .target = {2, 2}, .weight = {huge, huge}};
  EXPECT_THAT(error_of([&] { adjacency(3, edges, Dup::kSum); }),
              HasSubstr("from node 0 to node 2 add up to inf"));
}

}  // namespace
}  // namespace scrl
