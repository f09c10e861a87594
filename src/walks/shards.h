// walks/shards.h: stochastic gradient descent on several threads, with the same bits for any number
// of them.
//
// A round takes the next few walks or edges and cuts them into a fixed number of parts. A shard
// goes through its part in order, and works on copies of the rows it meets; after the round
//     base += f * sum over shards of (copy - base),   f = clamp(patience / c, 1 / m, 1)
// for a row that m shards met and that took c updates in all. A row met seldom takes the sum of
// what the shards learned, as if they had followed each other. A row met often, such as the root of
// a Huffman tree, is near its optimum in every copy already: the sum would overshoot, the mean does
// not. A row met by one shard alone takes its copy, so that a single shard is plain descent.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/types.h"
#include "kernels/skipgram.h"
#include "tensor/buffer.h"
#include "tensor/matrix.h"

namespace scrl {

struct ShardOptions {
  int shards = 8;        // part of the result, unlike the number of threads
  double patience = 32;  // updates of a row in a round from which on changes are not all added
};

// Gives every node a shard, in order of degree, so that all have as much to do.
std::vector<std::uint8_t> deal_nodes(std::span<const Index> degree, int shards);

// A shard's copies of rows of a table, for one round.
class RowCopies {
 public:
  // At most `most` different rows are used in a round.
  RowCopies(Index rows, Index stride, Index most)
      : stride_(stride),
        slot_(static_cast<std::size_t>(rows), -1),
        data_(static_cast<std::size_t>(most * stride)) {  // mapped: what is not used costs nothing
    copies_.reserve(static_cast<std::size_t>(most));
  }

  // Where the copy of a row is, in units of rows; made from `base` if this round has none yet.
  std::uint32_t use(const Matrix& base, Index row) {
    std::int32_t& slot = slot_[row];
    if (slot < 0) [[unlikely]]
      slot = make(base, row);
    ++copies_[slot].uses;
    return static_cast<std::uint32_t>(slot);
  }
  // A pair looks at a row: adds it to the targets of the next step, or counts it there.
  void look(const Matrix& base, Index row, bool positive, kernels::StepTargets& targets) {
    const std::uint32_t slot = use(base, row);
    std::uint32_t& place = copies_[slot].place;  // from whatever step; right if the slot is there
    if (place >= targets.count || targets.row[place] != slot) {
      place = targets.count++;
      targets.row[place] = slot;
      targets.positive[place] = targets.total[place] = 0.0f;
    }
    targets.positive[place] += positive ? 1.0f : 0.0f;
    targets.total[place] += 1.0f;
  }
  float* data() { return data_.data(); }
  float* row(std::uint32_t slot) { return data_.data() + slot * stride_; }

 private:
  friend class ShardedRows;
  struct Copy {
    std::int32_t row;
    std::uint32_t uses, place;
  };
  std::int32_t make(const Matrix& base, Index row);

  Index stride_;
  std::vector<std::int32_t> slot_;  // of a row; -1: no copy
  std::vector<Copy> copies_;        // of a slot
  Buffer data_;
};

class ShardedRows {
 public:
  // At most `most` different rows are used by a shard in a round; more than `rows` is no more.
  ShardedRows(Index rows, Index stride, Index most, const ShardOptions& options);
  RowCopies& shard(Index s) { return shards_[static_cast<std::size_t>(s)]; }
  Index shards() const { return static_cast<Index>(shards_.size()); }
  // Ends a round: brings the changes of all shards into `base`, and forgets the copies.
  void merge(Matrix& base);

 private:
  void merge_row(Index first, std::int32_t row, Matrix& base) const;

  double patience_;
  std::vector<RowCopies> shards_;
};

}  // namespace scrl
