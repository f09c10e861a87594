#include "walks/huffman.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <string>

#include "base/error.h"
#include "base/rng.h"

namespace scrl {
namespace {

using ::testing::ElementsAre;

std::vector<Index> lengths(const HuffmanTree& tree, Index leaves) {
  std::vector<Index> out;
  for (Index i = 0; i < leaves; ++i) out.push_back(std::ssize(tree.path(i)));
  return out;
}

// The example of every textbook: a 45, b 13, c 12, d 16, e 9, f 5.
TEST(HuffmanTest, TextbookExample) {
  const std::vector<Index> frequency = {45, 13, 12, 16, 9, 5};
  const HuffmanTree tree(frequency);
  EXPECT_THAT(lengths(tree, 6), ElementsAre(1, 3, 3, 3, 4, 4));
  EXPECT_EQ(tree.inner_nodes(), 5);
  EXPECT_EQ(tree.longest_path(), 4);
}

TEST(HuffmanTest, EqualFrequenciesMakeABalancedTree) {
  EXPECT_THAT(lengths(HuffmanTree(std::vector<Index>(8, 3)), 8),
              ElementsAre(3, 3, 3, 3, 3, 3, 3, 3));
}

TEST(HuffmanTest, LeavesWithoutFrequencyAreNotInTheTree) {
  const HuffmanTree tree(std::vector<Index>{0, 2, 0, 1});
  EXPECT_THAT(lengths(tree, 4), ElementsAre(0, 1, 0, 1));
  EXPECT_EQ(tree.inner_nodes(), 1);
  EXPECT_NE(tree.path(1)[0], tree.path(3)[0]);  // the same inner node, another label
  EXPECT_EQ(tree.path(1)[0] / 2, tree.path(3)[0] / 2);
}

// A prefix code within one bit of the entropy, whose paths agree with each other on the tree.
TEST(HuffmanTest, IsACodeNearTheEntropy) {
  Rng rng(3);
  std::vector<Index> frequency;
  double total = 0.0;
  for (int i = 0; i < 1000; ++i) {
    frequency.push_back(1 + static_cast<Index>(200.0 * std::pow(rng.uniform(), 6.0)));
    total += static_cast<double>(frequency.back());
  }
  const HuffmanTree tree(frequency);
  double entropy = 0.0, cost = 0.0, kraft = 0.0;
  std::set<std::string> codes;
  std::vector<std::string> prefix_of(static_cast<std::size_t>(tree.inner_nodes()), "?");
  for (Index i = 0; i < 1000; ++i) {
    const double p = static_cast<double>(frequency[i]) / total;
    entropy -= p * std::log2(p);
    cost += p * static_cast<double>(tree.path(i).size());
    kraft += std::exp2(-static_cast<double>(tree.path(i).size()));
    EXPECT_EQ(tree.path(i)[0] / 2, 0u) << "every path starts at the root";
    std::string code;
    for (const std::uint32_t step : tree.path(i)) {
      std::string& prefix = prefix_of[step / 2];
      if (prefix == "?") prefix = code;
      EXPECT_EQ(prefix, code) << "inner node " << step / 2;
      code += step % 2 == 1 ? '0' : '1';
    }
    codes.insert(code);
  }
  EXPECT_EQ(codes.size(), 1000u);
  EXPECT_DOUBLE_EQ(kraft, 1.0);
  EXPECT_GE(cost, entropy);
  EXPECT_LT(cost, entropy + 1.0);
  EXPECT_EQ(std::set<std::string>(prefix_of.begin(), prefix_of.end()).size(), 999u);
}

TEST(HuffmanTest, NeedsTwoLeaves) {
  EXPECT_THROW(HuffmanTree(std::vector<Index>{0, 3}), Error);
  EXPECT_THROW(HuffmanTree(std::vector<Index>{1, -3, 2}), Error);
}

}  // namespace
}  // namespace scrl
