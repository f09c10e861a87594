// base/block_tree.h: sums over rows in an order that does not depend on who adds them up.
//
// Rows are cut into blocks of block_rows(). A sum over rows is one partial sum per block, made in
// whatever way suits the kernel, and the partial sums are added along a binary tree: blocks 0 and
// 1, blocks 2 and 3, then the sums of (0 1) and (2 3), and so on; what has no neighbour on its
// right moves up as it is. Whoever owns consecutive blocks can add up the subtrees that lie within
// them, and the whole has the same bits. Up to block_rows() rows there is one block and no tree.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "base/error.h"
#include "base/parallel.h"
#include "base/types.h"

namespace scrl {

inline constexpr Index kBlockRows = 65536;
// Rows of a block: kBlockRows, part of the definition of every sum over nodes. A power of two.
Index block_rows();
inline int block_shift() { return std::countr_zero(static_cast<std::uint64_t>(block_rows())); }
inline Index block_count(Index rows) { return std::max<Index>(1, chunk_count(rows, block_rows())); }

// Other blocks while it lives, so that tests need no millions of rows. REQUIRES: no kernel runs
// when it comes and goes.
class BlockRowsForTest {
 public:
  explicit BlockRowsForTest(Index rows);
  ~BlockRowsForTest();
  BlockRowsForTest(const BlockRowsForTest&) = delete;
  BlockRowsForTest& operator=(const BlockRowsForTest&) = delete;

 private:
  Index before_;
};

// A node of the tree: the sum of blocks [first, first + 2^level), as far as they exist.
struct Subtree {
  Index first;
  int level;
  bool operator==(const Subtree&) const = default;
};

// Adds up partial sums of `width` numbers each. Blocks, or whole subtrees, come in ascending order;
// at any time only the largest subtrees that are complete are kept.
template <class T>
class TreeSum {
 public:
  // Room that it needs when it is given up to `parts` blocks or subtrees that follow each other.
  static Index room(Index parts, Index width) { return slots(parts) * width; }

  // `room`: memory for room(parts, width) numbers, which the caller keeps.
  TreeSum(T* room, Index width) : room_(room), width_(width) {}

  // Where to put the next partial sum; then push it.
  T* next() { return room_ + count_ * width_; }
  void push(Subtree part) {
    at_[static_cast<std::size_t>(count_++)] = part;
    while (count_ > 1 && siblings(at_[count_ - 2], at_[count_ - 1])) {
      ++at_[count_ - 2].level;
      join();
    }
  }
  void push_block(Index number) { push({number, 0}); }

  // The subtrees so far, largest possible ones, ascending: subtree i is at subtree_sum(i).
  std::span<const Subtree> subtrees() const {
    return {at_.data(), static_cast<std::size_t>(count_)};
  }
  const T* subtree_sum(Index i) const { return room_ + i * width_; }

  // The whole sum. REQUIRES: every block was pushed, from 0 on.
  const T* total() {
    while (count_ > 1) join();
    return room_;
  }

 private:
  // Consecutive blocks are at most two subtrees of each size, and the one being added.
  static Index slots(Index parts) {
    return 2 * static_cast<Index>(std::bit_width(static_cast<std::uint64_t>(parts))) + 1;
  }
  static bool siblings(Subtree left, Subtree right) {
    const Index size = Index{1} << left.level;
    return left.level == right.level && left.first % (2 * size) == 0 &&
           left.first + size == right.first;
  }
  void join() {
    T* const left = room_ + (count_ - 2) * width_;
    const T* const right = left + width_;
    if (width_ < kWide) {
      for (Index j = 0; j < width_; ++j) left[j] += right[j];
    } else {
      parallel_for(width_, kWide, [&](Index begin, Index end) {
        for (Index j = begin; j < end; ++j) left[j] += right[j];
      });
    }
    --count_;
  }

  static constexpr Index kWide = 1 << 14;
  T* room_;
  Index width_;
  Index count_ = 0;
  std::array<Subtree, 130> at_;
};

}  // namespace scrl
