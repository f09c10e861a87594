// kernels/block_sums.h: sums over rows, chunk by chunk within the blocks of base/block_tree.h.
// Internal to the kernels.
#pragma once
#include <algorithm>

#include "base/block_tree.h"
#include "kernels/entry.h"

namespace scrl::kernels {

// Rows cut into blocks, and blocks into chunks of `grain` rows, which never cross a block.
struct BlockChunks {
  Index rows, grain;
  Index block = block_rows(), blocks = block_count(rows);
  Index per_block = chunk_count(std::min(block, rows), grain);  // of all blocks but the last

  Index count() const { return blocks * per_block; }  // chunk numbers; the last few may be unused
  Index first_row(Index b) const { return b * block; }
  Index last_row(Index b) const { return std::min(rows, (b + 1) * block); }
  Index chunks_of(Index b) const { return chunk_count(last_row(b) - first_row(b), grain); }

  // use(chunk, begin, end), possibly at the same time.
  template <class Use>
  void for_each(const Use& use) const {
    parallel_for(count(), 1, [&](Index chunk, Index) {
      const Index b = chunk / per_block, begin = first_row(b) + chunk % per_block * grain;
      const Index end = std::min(last_row(b), begin + grain);
      if (begin < end) use(chunk, begin, end);
    });
  }
};

// sums[j] += partial(chunk, j) of all chunks: those of a block in order, blocks along the tree.
template <class Partial>
void add_up(const BlockChunks& of, Index width, const Partial& partial, double* sums) {
  struct Room;
  const auto add_block = [&](Index b, double* to) {
    for (Index c = b * of.per_block; c < b * of.per_block + of.chunks_of(b); ++c)
      for (Index j = 0; j < width; ++j) to[j] += partial(c, j);
  };
  if (of.blocks == 1) return add_block(0, sums);
  TreeSum<double> tree(scratch<double, Room>(TreeSum<double>::room(of.blocks, width)), width);
  for (Index b = 0; b < of.blocks; ++b) {
    std::fill_n(tree.next(), width, 0.0);
    add_block(b, tree.next());
    tree.push_block(b);
  }
  const double* const total = tree.total();
  for (Index j = 0; j < width; ++j) sums[j] += total[j];
}

}  // namespace scrl::kernels
