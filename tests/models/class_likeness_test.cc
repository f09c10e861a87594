// tests/models/class_likeness_test.cc: nodes told apart by one labelled node of each class.
#include "models/class_likeness.h"

#include <gtest/gtest.h>

#include "base/parallel.h"
#include "base/rng.h"
#include "graph/adjacency.h"

namespace scrl {
namespace {

constexpr Index kGroups = 3, kSize = 40, kFeatures = 30;
constexpr Index kNodes = kGroups * kSize;

Index group_of(Index node) { return node / kSize; }

// Rings with chords, joined by one edge each; a node has four features, of which all but one are
// those of its group.
struct Problem {
  SparseOperand X, A;

  Problem() {
    Rng rng(5);
    Edges edges;
    Csr features;
    features.rows = kNodes, features.cols = kFeatures;
    for (Index i = 0; i < kNodes; ++i) {
      const Index first = group_of(i) * kSize;
      for (const Index step : {1, 7}) {
        edges.source.push_back(static_cast<NodeId>(i));
        edges.target.push_back(static_cast<NodeId>(first + (i - first + step) % kSize));
      }
      std::vector<NodeId> has = {static_cast<NodeId>(rng.below(kFeatures))};
      for (int f = 0; f < 3; ++f)
        has.push_back(static_cast<NodeId>(group_of(i) * 10 + static_cast<Index>(rng.below(10))));
      std::sort(has.begin(), has.end());
      has.erase(std::unique(has.begin(), has.end()), has.end());
      for (const NodeId f : has) features.col.push_back(f), features.val.push_back(1.0f);
      features.row_ptr.push_back(features.nnz());
    }
    for (Index g = 0; g + 1 < kGroups; ++g) {
      edges.source.push_back(static_cast<NodeId>(g * kSize));
      edges.target.push_back(static_cast<NodeId>((g + 1) * kSize));
    }
    X = sparse_operand(std::move(features));
    Propagation p = propagation(adjacency(kNodes, edges, Dup::kBinary), Norm::kRw, 0.5);
    A = {.A = std::move(p.forward), .At = std::move(p.backward)};
  }
};

TEST(ClassLikenessTest, OneLabelOfEachClassTellsItsGroup) {
  const Problem p;
  const Matrix L = class_likeness(p.X, p.A, 27, {10, 50, 90}, {0, 1, 2}, kGroups);
  ASSERT_EQ(L.rows(), kNodes);
  ASSERT_EQ(L.cols(), kGroups);
  Index told = 0;
  for (Index i = 0; i < kNodes; ++i) {
    Index nearest = 0;
    for (Index c = 0; c < kGroups; ++c) {
      EXPECT_LE(std::abs(L(i, c)), 1 + 1e-5);
      if (L(i, c) > L(i, nearest)) nearest = c;
    }
    told += nearest == group_of(i);
  }
  EXPECT_GE(told, kNodes * 19 / 20);
  EXPECT_NEAR(L(50, 1), 1, 1e-5);  // it is its own mean
}

TEST(ClassLikenessTest, AClassWithoutLabelsIsLikeNobody) {
  const Problem p;
  const Matrix L = class_likeness(p.X, p.A, 27, {10, 90}, {0, 2}, kGroups);
  for (Index i = 0; i < kNodes; ++i) EXPECT_EQ(L(i, 1), 0.0f);
}

TEST(ClassLikenessTest, NodesWithoutDifferencesAreAlikeNothing) {
  const Problem p;
  Csr none;
  none.rows = kNodes, none.cols = kFeatures;
  none.row_ptr.assign(static_cast<std::size_t>(kNodes + 1), 0);
  const Matrix L = class_likeness(sparse_operand(none), p.A, 3, {10}, {0}, kGroups);
  for (Index i = 0; i < kNodes; ++i) EXPECT_EQ(L(i, 0), 0.0f);
}

TEST(ClassLikenessTest, ThreadsDoNotChangeTheBits) {
  const Problem p;
  set_threads(1);
  const Matrix alone = class_likeness(p.X, p.A, 12, {10, 50, 90}, {0, 1, 2}, kGroups);
  set_threads(3);
  const Matrix shared = class_likeness(p.X, p.A, 12, {10, 50, 90}, {0, 1, 2}, kGroups);
  set_threads(0);
  for (Index i = 0; i < kNodes; ++i)
    for (Index c = 0; c < kGroups; ++c) EXPECT_EQ(alone(i, c), shared(i, c));
}

}  // namespace
}  // namespace scrl
