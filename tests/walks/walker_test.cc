#include "walks/walker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "base/error.h"
#include "graphs.h"
#include "support/errors.h"

namespace scrl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

// A star 0-{1..5}, a chord 1-2, a loop at 3, the edge 0-1 twice; 6 alone, 7 with nothing but a
// loop.
Csr star() {
  return graph_of(8, {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}, {1, 2}, {3, 3}, {0, 1}, {7, 7}});
}

TEST(WalkerTest, LoopsAndRepeatedEdgesAreDropped) {
  const Walker walker(star(), 5, 1);
  EXPECT_THAT(walker.neighbours(3), ElementsAre(0));
  EXPECT_THAT(walker.neighbours(0), ElementsAre(1, 2, 3, 4, 5));
  EXPECT_THAT(walker.joined(), ElementsAre(0, 1, 2, 3, 4, 5));
  EXPECT_THAT(walker.degrees(), ElementsAre(5, 2, 2, 1, 1, 1, 0, 0));
}

// Along edges only, and to each neighbour as often as to another: chi-square, three sigma.
TEST(WalkerTest, StepsAreUniformOverTheNeighbours) {
  const Walker walker(star(), 41, 2);
  std::map<std::pair<NodeId, NodeId>, double> seen;
  std::vector<double> from(8);
  std::vector<NodeId> walk(41);
  for (Index number = 0; number < 3000; ++number) {
    walker.walk(1, number, static_cast<NodeId>(number % 6), walk);
    EXPECT_EQ(walk[0], number % 6);
    for (std::size_t k = 1; k < walk.size(); ++k) {
      const auto around = walker.neighbours(walk[k - 1]);
      ASSERT_TRUE(std::binary_search(around.begin(), around.end(), walk[k]));
      ++seen[{walk[k - 1], walk[k]}];
      ++from[walk[k - 1]];
    }
  }
  double chi_square = 0.0, freedom = 0.0;
  for (const NodeId i : walker.joined()) {
    const double expected = from[i] / static_cast<double>(walker.degree(i));
    for (const NodeId j : walker.neighbours(i)) {
      chi_square += std::pow(seen[{i, j}] - expected, 2.0) / expected;
    }
    freedom += static_cast<double>(walker.degree(i)) - 1.0;
  }
  EXPECT_LT(chi_square, freedom + 3.0 * std::sqrt(2.0 * freedom));
}

TEST(WalkerTest, AWalkIsAFunctionOfItsNumberAndPass) {
  const Walker walker(star(), 30, 3), other(star(), 30, 4);
  const auto walk = [](const Walker& w, int pass, Index number) {
    std::vector<NodeId> out(30);
    w.walk(pass, number, 0, out);
    return out;
  };
  EXPECT_EQ(walk(walker, 1, 5), walk(walker, 1, 5));
  EXPECT_NE(walk(walker, 1, 5), walk(walker, 2, 5));
  EXPECT_NE(walk(walker, 1, 5), walk(walker, 1, 6));
  EXPECT_NE(walk(walker, 1, 5), walk(other, 1, 5));
}

TEST(WalkerTest, EverySweepStartsOnceFromEveryJoinedNode) {
  const Walker walker(two_communities(60, 0.3, 0.1, 1), 10, 3);
  std::vector<NodeId> a, b, c;
  walker.starts(1, 0, a);
  walker.starts(1, 1, b);
  walker.starts(2, 0, c);
  EXPECT_NE(a, b);
  EXPECT_NE(a, c);
  for (auto* order : {&a, &b, &c}) {
    EXPECT_FALSE(std::is_sorted(order->begin(), order->end()));
    std::sort(order->begin(), order->end());
    EXPECT_TRUE(
        std::equal(order->begin(), order->end(), walker.joined().begin(), walker.joined().end()));
  }
}

TEST(WalkerTest, AGraphWithoutEdgesIsRefused) {
  EXPECT_THAT(error_of([] {
                Walker(graph_of(4, {{2, 2}}), 10, 1);
              }),
              HasSubstr("none of the 4 nodes has an edge to another one"));
}

}  // namespace
}  // namespace scrl
