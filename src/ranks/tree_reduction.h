// ranks/tree_reduction.h: sums over nodes whose blocks (base/block_tree.h) belong to several ranks.
//
// A rank adds up the largest subtrees that lie within its blocks and sends those; whoever gets the
// subtrees of all ranks finishes the tree. So the bits are those of one process, whatever the
// number of ranks, and a rank sends at most two subtrees of each size.
#pragma once
#include <span>
#include <vector>

#include "base/block_tree.h"
#include "ranks/communicator.h"

namespace scrl {

// Who has which blocks: rank r has [first[r], first[r + 1]), possibly none.
struct BlockOwners {
  std::vector<Index> first;  // one more than there are ranks, from 0 to the number of blocks

  Index blocks() const { return first.back(); }
  // The largest subtrees within the blocks of a rank, ascending.
  std::vector<Subtree> subtrees(int rank) const;
};

// `blocks` of these weights in consecutive runs, one per rank, the heaviest as light as it can be.
BlockOwners balanced_owners(std::span<const Index> weights, int ranks);

// Values [begin, end) of a wide sum: rank r looks after the r-th part of all.
struct ValueRange {
  Index begin, end;
};
ValueRange range_of(Index width, int rank, int ranks);

// Exchanges over one communicator; float and double.
class TreeReduction {
 public:
  // REQUIRES: both outlive it; as many owners as ranks.
  TreeReduction(Communicator& ranks, const BlockOwners& owners);

  // The total on all ranks. `own` has the blocks of this rank.
  template <class T>
  void total(const TreeSum<T>& own, std::span<T> out) const;
  // This rank's range of the total, nobody else's: for what is then done once (a step of Adam).
  template <class T>
  std::vector<T> own_range(const TreeSum<T>& own, Index width) const;
  // Every rank has filled its own range of `values`: afterwards all have all of them.
  template <class T>
  void gather_ranges(std::span<T> values) const;

 private:
  template <class T>
  void check_own(const TreeSum<T>& own) const;
  // The sum of the subtrees of all ranks, `parts` one after the other.
  template <class T>
  std::vector<T> finished(const std::vector<T>& parts, Index width) const;

  Communicator& ranks_;
  const BlockOwners& owners_;
};

}  // namespace scrl
