#include "ranks/tree_reduction.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "base/rng.h"
#include "support/thread_ranks.h"

namespace scrl {
namespace {

using ::testing::Each;
using ::testing::IsEmpty;

// The part of block b, numbers of very different size.
template <class T>
std::vector<T> part_of(Index b, Index width) {
  const Rng rng(static_cast<std::uint64_t>(b));
  std::vector<T> part;
  for (Index j = 0; j < width; ++j) {
    const auto at = static_cast<std::uint64_t>(2 * j);
    part.push_back(
        static_cast<T>(std::exp2(20.0 * rng.uniform_at(at)) * (rng.uniform_at(at + 1) - 0.5)));
  }
  return part;
}

template <class T>
struct Blocks {
  std::vector<T> room;
  TreeSum<T> tree;
  Blocks(Index first, Index last, Index width)
      : room(static_cast<std::size_t>(TreeSum<T>::room(last - first, width))),
        tree(room.data(), width) {
    for (Index b = first; b < last; ++b) {
      const auto part = part_of<T>(b, width);
      std::copy(part.begin(), part.end(), tree.next());
      tree.push_block(b);
    }
  }
};

// Owners that differ from even ones: some have many blocks, some none.
BlockOwners uneven(Index blocks, int ranks) {
  BlockOwners out{{0}};
  for (int r = 1; r < ranks; ++r)
    out.first.push_back(
        std::min(blocks, out.first.back() + (r * 5 + static_cast<int>(blocks)) % 4));
  out.first.push_back(blocks);
  return out;
}

template <class T>
void expect_bits_of_one_process() {
  for (const Index blocks : {1, 2, 3, 6, 13, 40}) {
    for (const Index width : {1, 17, 5000}) {
      Blocks<T> all(0, blocks, width);
      const T* const sum = all.tree.total();
      const std::vector<T> expected(sum, sum + width);
      for (const int size : {1, 2, 3, 5}) {
        for (const bool even : {false, true}) {
          SCOPED_TRACE(cat("blocks=", blocks, " width=", width, " ranks=", size, " even=", even));
          const std::vector<Index> weights(static_cast<std::size_t>(blocks), 1);
          const BlockOwners owners = even ? balanced_owners(weights, size) : uneven(blocks, size);
          const auto errors = run_ranks(size, 2, [&](Communicator& ranks) {
            const auto me = static_cast<std::size_t>(ranks.rank());
            const Blocks<T> own(owners.first[me], owners.first[me + 1], width);
            const TreeReduction reduction(ranks, owners);
            std::vector<T> total(static_cast<std::size_t>(width));
            reduction.total<T>(own.tree, total);
            EXPECT_EQ(total, expected);
            // What one does with a range of its own, all get.
            std::vector<T> doubled(total.size());
            const ValueRange range = range_of(width, ranks.rank(), size);
            const std::vector<T> sums = reduction.own_range<T>(own.tree, width);
            ASSERT_EQ(static_cast<Index>(sums.size()), range.end - range.begin);
            for (Index j = range.begin; j < range.end; ++j)
              doubled[static_cast<std::size_t>(j)] =
                  2 * sums[static_cast<std::size_t>(j - range.begin)];
            reduction.gather_ranges<T>(doubled);
            for (std::size_t j = 0; j < doubled.size(); ++j)
              ASSERT_EQ(doubled[j], 2 * expected[j]) << j;
          });
          EXPECT_THAT(errors, Each(IsEmpty()));
        }
      }
    }
  }
}

TEST(TreeReductionTest, FloatsHaveTheBitsOfOneProcess) { expect_bits_of_one_process<float>(); }
TEST(TreeReductionTest, DoublesHaveTheBitsOfOneProcess) { expect_bits_of_one_process<double>(); }

TEST(TreeReductionTest, OtherBlocksThanThoseOwnedAreRefused) {
  const auto errors = run_ranks(2, 1, [&](Communicator& ranks) {
    const BlockOwners owners{{0, 2, 4}};
    const Blocks<float> own(0, 2, 3);
    std::vector<float> total(3);
    TreeReduction(ranks, owners).total<float>(own.tree, total);
  });
  EXPECT_THAT(errors, Each(::testing::HasSubstr("rank 1 has not added up the blocks")));
}

TEST(TreeReductionTest, OwnersAreBalanced) {
  const std::vector<Index> weights = {5, 1, 1, 1, 9, 2, 2, 2};
  for (const int size : {1, 2, 3, 5, 8, 11}) {
    const BlockOwners owners = balanced_owners(weights, size);
    ASSERT_EQ(static_cast<int>(owners.first.size()), size + 1);
    EXPECT_EQ(owners.first.front(), 0);
    EXPECT_EQ(owners.blocks(), 8);
    EXPECT_TRUE(std::ranges::is_sorted(owners.first));
    Index heaviest = 0;
    int idle = 0;
    for (std::size_t r = 0; r + 1 < owners.first.size(); ++r) {
      const Index sum = std::accumulate(weights.begin() + owners.first[r],
                                        weights.begin() + owners.first[r + 1], Index{0});
      heaviest = std::max(heaviest, sum);
      idle += owners.first[r] == owners.first[r + 1];
    }
    EXPECT_EQ(idle, std::max(0, size - 8)) << size;
    const std::map<int, Index> lightest = {{1, 23}, {2, 15}, {3, 9}, {5, 9}, {8, 9}, {11, 9}};
    EXPECT_EQ(heaviest, lightest.at(size)) << size;
  }
  EXPECT_THROW(balanced_owners({}, 2), Error);
}

TEST(TreeReductionTest, RangesCoverEverythingOnce) {
  for (const Index width : {0, 1, 16, 17, 640000}) {
    for (const int size : {1, 3, 64}) {
      Index next = 0;
      for (int r = 0; r < size; ++r) {
        const ValueRange range = range_of(width, r, size);
        EXPECT_EQ(range.begin, next);
        EXPECT_TRUE(range.begin % 16 == 0 || range.begin == width);
        next = range.end;
      }
      EXPECT_EQ(next, width);
    }
  }
}

}  // namespace
}  // namespace scrl
