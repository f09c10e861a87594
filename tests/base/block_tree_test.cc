#include "base/block_tree.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <vector>

#include "base/rng.h"

namespace scrl {
namespace {

using Floats = std::vector<float>;

// Numbers of very different size: any other order of summation shows in the last bits.
std::vector<Floats> random_parts(Index blocks, Index width) {
  std::vector<Floats> parts(static_cast<std::size_t>(blocks));
  Rng rng(static_cast<std::uint64_t>(blocks));
  for (Floats& part : parts)
    for (Index j = 0; j < width; ++j) {
      const double size = std::exp2(8.0 * rng.uniform());
      part.push_back(static_cast<float>(size * (2.0 * rng.uniform() - 1.0)));
    }
  return parts;
}

// The definition: a tree over blocks [first, last), its left half a power of two of them.
Floats by_definition(const std::vector<Floats>& parts, Index first, Index last) {
  if (last - first == 1) return parts[static_cast<std::size_t>(first)];
  const Index half =
      static_cast<Index>(std::bit_floor(static_cast<std::uint64_t>(last - first - 1)));
  Floats left = by_definition(parts, first, first + half);
  const Floats right = by_definition(parts, first + half, last);
  for (std::size_t j = 0; j < left.size(); ++j) left[j] += right[j];
  return left;
}

Floats by_tree_sum(const std::vector<Floats>& parts, Index width) {
  const Index blocks = static_cast<Index>(parts.size());
  Floats room(static_cast<std::size_t>(TreeSum<float>::room(blocks, width)));
  TreeSum<float> tree(room.data(), width);
  for (Index b = 0; b < blocks; ++b) {
    std::copy(parts[b].begin(), parts[b].end(), tree.next());
    tree.push_block(b);
  }
  const float* const total = tree.total();
  return {total, total + width};
}

TEST(BlockTreeTest, AddsAlongTheTree) {
  for (Index blocks = 1; blocks <= 70; ++blocks) {
    const auto parts = random_parts(blocks, 3);
    EXPECT_EQ(by_tree_sum(parts, 3), by_definition(parts, 0, blocks)) << blocks;
  }
}

// Wide sums are added by several threads.
TEST(BlockTreeTest, WideSumsAreTheSame) {
  const auto parts = random_parts(5, 40000);
  for (const int count : {1, 2, 3}) {
    const ThreadScope scope(count);
    EXPECT_EQ(by_tree_sum(parts, 40000), by_definition(parts, 0, 5)) << count;
  }
}

// Owners of consecutive blocks hand over their largest subtrees: few of them, and the same bits.
TEST(BlockTreeTest, OwnersOfConsecutiveBlocksAgreeWithOneOfAll) {
  for (const Index blocks : {1, 2, 3, 7, 8, 24, 33, 1526}) {
    const auto parts = random_parts(blocks, 2);
    const Floats expected = by_definition(parts, 0, blocks);
    for (const Index owners : {1, 2, 3, 5, 64}) {
      Floats room(static_cast<std::size_t>(TreeSum<float>::room(blocks, 2)));
      TreeSum<float> all(room.data(), 2);
      for (Index owner = 0; owner < owners; ++owner) {
        const Index first = owner * blocks / owners, last = (owner + 1) * blocks / owners;
        Floats own_room(static_cast<std::size_t>(TreeSum<float>::room(last - first, 2)));
        TreeSum<float> own(own_room.data(), 2);
        for (Index b = first; b < last; ++b) {
          std::copy(parts[b].begin(), parts[b].end(), own.next());
          own.push_block(b);
        }
        EXPECT_LE(own.subtrees().size(), 20u);
        for (std::size_t s = 0; s < own.subtrees().size(); ++s) {
          std::copy_n(own.subtree_sum(static_cast<Index>(s)), 2, all.next());
          all.push(own.subtrees()[s]);
        }
      }
      const float* const total = all.total();
      EXPECT_EQ(Floats(total, total + 2), expected) << blocks << " blocks, " << owners << " owners";
    }
  }
}

TEST(BlockTreeTest, BlocksHaveAFixedSizeOutsideTests) {
  EXPECT_EQ(block_rows(), 65536);
  EXPECT_EQ(block_count(0), 1);
  EXPECT_EQ(block_count(65536), 1);
  EXPECT_EQ(block_count(65537), 2);
  {
    const BlockRowsForTest small(64);
    EXPECT_EQ(block_count(129), 3);
  }
  EXPECT_EQ(block_rows(), 65536);
  EXPECT_THROW(BlockRowsForTest(0), Error);
  EXPECT_THROW(BlockRowsForTest(96), Error);
}

}  // namespace
}  // namespace scrl
