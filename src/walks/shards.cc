#include "walks/shards.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/error.h"
#include "base/parallel.h"
#include "kernels/skipgram.h"

namespace scrl {
namespace {

constexpr int kMaxShards = 64;

}  // namespace

std::vector<std::uint8_t> deal_nodes(std::span<const Index> degree, int shards) {
  check(shards >= 1 && shards <= kMaxShards, "shards: ", shards);
  std::vector<Index> order(degree.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return degree[a] > degree[b]; });
  std::vector<std::uint8_t> owner(degree.size());
  for (Index rank = 0; rank < std::ssize(order); ++rank) {
    const Index turn = rank / shards, place = rank % shards;
    // To and fro: nobody is always the first to choose.
    owner[order[rank]] = static_cast<std::uint8_t>(turn % 2 == 0 ? place : shards - 1 - place);
  }
  return owner;
}

std::int32_t RowCopies::make(const Matrix& base, Index row) {
  const auto slot = static_cast<std::int32_t>(copies_.size());
  check(copies_.size() < copies_.capacity(), "shards: more rows in a round than announced");
  std::copy_n(base.row(row), stride_, data_.data() + slot * stride_);
  copies_.push_back({static_cast<std::int32_t>(row), 0, 0});
  return slot;
}

ShardedRows::ShardedRows(Index rows, Index stride, Index most, const ShardOptions& options)
    : patience_(options.patience) {
  if (options.shards < 1 || options.shards > kMaxShards) {
    fail(ErrorKind::kUsage, "shards: expected 1 to ", kMaxShards, ", got ", options.shards);
  }
  for (int s = 0; s < options.shards; ++s) {
    shards_.emplace_back(rows, stride, std::min(rows, most));
  }
}

// `first` is the first shard that met the row.
void ShardedRows::merge_row(Index first, std::int32_t row, Matrix& base) const {
  std::array<const float*, kMaxShards> met;
  std::size_t count = 0;
  double updates = 0.0;
  for (auto shard = shards_.begin() + first; shard != shards_.end(); ++shard) {
    const std::int32_t slot = shard->slot_[row];
    if (slot < 0) continue;
    met[count++] = shard->data_.data() + slot * shard->stride_;
    updates += shard->copies_[slot].uses;
  }
  if (count == 1) {
    std::copy_n(met[0], base.stride(), base.row(row));
    return;
  }
  const double factor = std::clamp(patience_ / updates, 1.0 / static_cast<double>(count), 1.0);
  kernels::skipgram_merge(base.row(row), {met.data(), count}, static_cast<float>(factor),
                          base.stride());
}

void ShardedRows::merge(Matrix& base) {
  constexpr Index kSlotsPerChunk = 64;
  for (Index s = 0; s < shards(); ++s) {
    const RowCopies& shard = shards_[s];
    parallel_for(std::ssize(shard.copies_), kSlotsPerChunk, [&](Index begin, Index end) {
      for (Index slot = begin; slot < end; ++slot) {
        const std::int32_t row = shard.copies_[slot].row;
        const bool done = std::any_of(shards_.begin(), shards_.begin() + s,
                                      [&](const RowCopies& c) { return c.slot_[row] >= 0; });
        if (!done) merge_row(s, row, base);
      }
    });
  }
  for (RowCopies& shard : shards_) {
    for (const RowCopies::Copy& copy : shard.copies_) shard.slot_[copy.row] = -1;
    shard.copies_.clear();
  }
}

}  // namespace scrl
