// tests/models/label_walks_test.cc: labels carried by random walks.
#include "models/label_walks.h"

#include <gtest/gtest.h>

#include <cmath>

#include "graph/adjacency.h"

namespace scrl {
namespace {

// A path 0 - 1 - 2 - 3 - 4 and a node 5 apart.
SparseOperand path() {
  const Csr A = adjacency(6, Edges{.source = {0, 1, 2, 3}, .target = {1, 2, 3, 4}}, Dup::kBinary);
  Propagation p = propagation(A, Norm::kRw, 0.5);
  return {.A = std::move(p.forward), .At = std::move(p.backward)};
}

TEST(LabelWalksTest, ANearLabelIsHeardLouderThanAFarOne) {
  const SparseOperand A = path();
  const Matrix F = log_label_walks(A, {0, 4}, {0, 1}, 2);
  EXPECT_GT(F.row(0)[0], F.row(1)[0]);
  EXPECT_GT(F.row(1)[0], F.row(2)[0]);
  EXPECT_NEAR(F.row(2)[0], std::log(0.5), 1e-6);  // in the middle
  EXPECT_NEAR(F.row(1)[0], F.row(3)[1], 1e-6);    // the other side is the mirror image
  for (Index i = 0; i < 6; ++i)
    EXPECT_NEAR(std::exp(F.row(i)[0]) + std::exp(F.row(i)[1]), 1, 1e-6) << i;
}

TEST(LabelWalksTest, ANodeThatNoWalkReachesKnowsNothing) {
  const SparseOperand A = path();
  const Matrix F = log_label_walks(A, {0, 1}, {0, 1}, 3);
  for (Index c = 0; c < 3; ++c) EXPECT_NEAR(F.row(5)[c], std::log(1 / 3.0), 1e-6);
  EXPECT_LT(F.row(2)[2], F.row(2)[0]);  // nobody came from the third class
}

}  // namespace
}  // namespace scrl
