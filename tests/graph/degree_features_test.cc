#include "graph/degree_features.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <set>

#include "base/error.h"
#include "base/rng.h"
#include "graph/adjacency.h"
#include "scrl/dataset.h"

namespace scrl {
namespace {

// A random graph with loops, repeated edges and nodes without edges, and random features.
struct Sample {
  Csr A, X;
  std::vector<std::vector<double>> a, x;  // the same, dense; a without loops and weights
  explicit Sample(std::uint64_t seed) {
    Rng rng(seed, Purpose::kTest);
    const auto below = [&](Index n) {
      return static_cast<NodeId>(
          std::min<Index>(n - 1, static_cast<Index>(rng.uniform() * static_cast<float>(n))));
    };
    const Index n = 3 + below(30), d = 1 + below(12);
    a.assign(static_cast<std::size_t>(n), std::vector<double>(static_cast<std::size_t>(n), 0.0));
    x.assign(static_cast<std::size_t>(n), std::vector<double>(static_cast<std::size_t>(d), 0.0));
    Edges edges;
    for (Index e = 0; e < 2 * n; ++e) {
      const NodeId i = below(2 * n / 3 + 1), j = below(2 * n / 3 + 1);  // the rest stays alone
      edges.source.push_back(i), edges.target.push_back(j);
      if (i != j) a[i][j] = a[j][i] = 1;
    }
    edges.source.push_back(static_cast<NodeId>(n - 1));
    edges.target.push_back(static_cast<NodeId>(n - 1));
    A = adjacency(n, edges, Dup::kSum);
    X.rows = n, X.cols = d;
    X.row_ptr = {0};
    for (Index i = 0; i < n; ++i) {
      for (Index f = 0; f < d; ++f) {
        if (rng.uniform() > 0.3f) continue;
        X.col.push_back(static_cast<NodeId>(f));
        X.val.push_back(rng.uniform() - 0.3f);  // of both signs
        x[i][f] = X.val.back();
      }
      X.row_ptr.push_back(X.nnz());
    }
  }
  Index nodes() const { return A.rows; }
  int degree(Index i) const {
    int sum = 0;
    for (const double v : a[i]) sum += v != 0;
    return sum;
  }
  double mean(Index i, Index f) const {  // over neighbours
    double sum = 0;
    for (Index j = 0; j < nodes(); ++j) sum += a[i][j] * x[j][f];
    return degree(i) ? sum / degree(i) : 0;
  }
};

class DegreeFeaturesTest : public testing::TestWithParam<int> {
 protected:
  Sample s{static_cast<std::uint64_t>(GetParam())};
};

TEST_P(DegreeFeaturesTest, GroupsAreTheDegreesInOrder) {
  std::set<int> degrees;
  for (Index i = 0; i < s.nodes(); ++i)
    if (s.degree(i) > 0) degrees.insert(s.degree(i));
  const DegreeGroups g = degree_groups(s.A);
  EXPECT_EQ(g.groups, static_cast<Index>(degrees.size()));
  ASSERT_EQ(static_cast<Index>(g.of_node.size()), s.nodes());
  for (Index i = 0; i < s.nodes(); ++i) {
    const auto place = degrees.find(s.degree(i));
    EXPECT_EQ(g.of_node[i], place == degrees.end() ? -1 : std::distance(degrees.begin(), place));
  }
}

TEST_P(DegreeFeaturesTest, TheMeanIsOverNeighbours) {
  const Csr M = neighbour_mean(s.A);
  ASSERT_EQ(M.rows, s.nodes());
  for (Index i = 0; i < s.nodes(); ++i) {
    std::map<NodeId, float> row;
    for (Index e = M.row_ptr[i]; e < M.row_ptr[i + 1]; ++e) {
      EXPECT_FALSE(row.contains(M.col[e]));
      row[M.col[e]] = M.val[e];
    }
    for (Index j = 0; j < s.nodes(); ++j) {
      const double want = s.degree(i) == 0 ? i == j : s.a[i][j] / s.degree(i);
      EXPECT_NEAR(row.contains(static_cast<NodeId>(j)) ? row[static_cast<NodeId>(j)] : 0, want,
                  1e-7);
    }
  }
}

// Every column belongs to one pair of degree and feature, every pair that occurs has one column,
// and the values under it are the means.
TEST_P(DegreeFeaturesTest, AgreesWithTheDenseProduct) {
  const DegreeGroups g = degree_groups(s.A);
  const Csr F = degree_features(s.A, g, s.X);
  ASSERT_EQ(F.rows, s.nodes());
  ASSERT_EQ(F.row_ptr.back(), F.nnz());
  const Index d = s.X.cols;
  std::set<std::pair<int, Index>> pairs;  // that occur
  for (Index i = 0; i < s.nodes(); ++i)
    for (Index f = 0; f < d; ++f)
      if (s.mean(i, f) != 0) pairs.insert({s.degree(i), f});
  EXPECT_EQ(F.cols, static_cast<Index>(pairs.size()));

  std::map<NodeId, std::pair<int, Index>> meaning;  // of a column, as its first value tells
  for (Index i = 0; i < s.nodes(); ++i) {
    std::set<Index> seen;
    for (Index e = F.row_ptr[i]; e < F.row_ptr[i + 1]; ++e) {
      const NodeId c = F.col[e];
      if (e > F.row_ptr[i]) {
        EXPECT_LT(F.col[e - 1], c);
      }
      if (!meaning.contains(c)) {
        for (Index f = 0; f < d; ++f)
          if (static_cast<float>(s.mean(i, f)) != 0 && !seen.contains(f) &&
              std::abs(s.mean(i, f) - F.val[e]) < 1e-6 && pairs.erase({s.degree(i), f}))
            meaning[c] = {s.degree(i), f}, f = d;
      }
      ASSERT_TRUE(meaning.contains(c)) << "column " << c << " holds " << F.val[e];
      const auto [degree, f] = meaning[c];
      EXPECT_EQ(degree, s.degree(i));
      EXPECT_NEAR(F.val[e], s.mean(i, f), 1e-6);
      seen.insert(f);
    }
    // Nothing is missing.
    for (Index f = 0; f < d; ++f) EXPECT_EQ(seen.contains(f), s.mean(i, f) != 0) << i << "," << f;
  }
}

INSTANTIATE_TEST_SUITE_P(RandomGraphs, DegreeFeaturesTest, testing::Range(1, 41));

TEST(DegreeFeaturesEdgeTest, WithoutEdges) {
  const Csr A = adjacency(3, {}, Dup::kSum);
  Csr X{.rows = 3, .cols = 2};
  X.row_ptr = {0, 1, 1, 2}, X.col = {0, 1}, X.val = {1.0f, 2.0f};
  const DegreeGroups g = degree_groups(A);
  EXPECT_EQ(g.groups, 0);
  EXPECT_EQ(g.of_node, (std::vector<std::int32_t>{-1, -1, -1}));
  const Csr F = degree_features(A, g, X);
  EXPECT_EQ(F.cols, 0);
  EXPECT_EQ(F.nnz(), 0);
  const Csr M = neighbour_mean(A);
  EXPECT_EQ(M.col, (std::vector<NodeId>{0, 1, 2}));
}

// Features of neighbours that cancel leave nothing behind, neither a value nor a column.
TEST(DegreeFeaturesEdgeTest, WhatCancelsIsNotStored) {
  const Csr A = adjacency(4, {.source = {0, 0, 0}, .target = {1, 2, 3}}, Dup::kSum);
  Csr X{.rows = 4, .cols = 2};
  X.row_ptr = {0, 0, 2, 3, 4}, X.col = {0, 1, 0, 0}, X.val = {1.0f, 5.0f, -1.0f, 0.5f};
  const Csr F = degree_features(A, degree_groups(A), X);
  // Node 0 sees 1 - 1 + 0.5 of feature 0 and 5 of feature 1, by thirds; its neighbours nothing.
  ASSERT_EQ(F.nnz(), 2);
  EXPECT_EQ(F.cols, 2);
  EXPECT_NEAR(F.val[0], 0.5 / 3, 1e-7);
  EXPECT_NEAR(F.val[1], 5.0 / 3, 1e-7);
  X.val[3] = 0.0f;
  const Csr G = degree_features(A, degree_groups(A), X);
  EXPECT_EQ(G.cols, 1);
  EXPECT_EQ(G.nnz(), 1);
}

// Measured independently of this program: degrees that occur but 0, and pairs with a feature.
TEST(DegreeFeaturesFactsTest, HoldForThePublicDataSets) {
  if (!std::getenv("SCRL_DATA")) GTEST_SKIP() << "SCRL_DATA is not set: no data sets to check";
  const struct {
    const char* name;
    Index degrees, pairs;
  } facts[] = {{"acm", 69, 111191}, {"BlogCatalog", 285, 1898623}, {"flickr", 493, 3658840}};
  for (const auto& fact : facts) {
    const Dataset data = load_dataset(fact.name);
    const Csr A = adjacency(data.nodes, data.edges, Dup::kBinary);
    const DegreeGroups g = degree_groups(A);
    EXPECT_EQ(g.groups, fact.degrees) << fact.name;
    EXPECT_EQ(degree_features(A, g, data.features).cols, fact.pairs) << fact.name;
  }
}

}  // namespace
}  // namespace scrl
