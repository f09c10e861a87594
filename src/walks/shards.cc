#include "walks/shards.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/error.h"
#include "base/parallel.h"
#include "kernels/kernels.h"

namespace scrl {
namespace {

constexpr int kMaxShards = 64;

}  // namespace

std::vector<std::uint8_t> deal_nodes(std::span<const Index> degree, int shards) {
  std::vector<Index> order(degree.size());
  std::iota(order.begin(), order.end(), Index{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return degree[a] > degree[b]; });
  std::vector<std::uint8_t> owner(degree.size());
  for (std::size_t rank = 0; rank < order.size(); ++rank) {
    const std::size_t turn = rank / static_cast<std::size_t>(shards);
    const auto place = static_cast<int>(rank % static_cast<std::size_t>(shards));
    // To and fro: nobody is always the first to choose.
    owner[order[rank]] = static_cast<std::uint8_t>(turn % 2 == 0 ? place : shards - 1 - place);
  }
  return owner;
}

std::int32_t RowCopies::make(const Matrix& base, Index row) {
  const std::int32_t slot = made_++;
  std::copy_n(base.row(row), stride_, data_.data() + slot * stride_);
  uses_[slot] = 0;
  return slot;
}

ShardedRows::ShardedRows(Index rows, Index stride, const ShardOptions& options)
    : patience_(options.patience) {
  check(options.shards >= 1 && options.shards <= kMaxShards, "shards: expected 1 to ", kMaxShards,
        ", got ", options.shards);
  for (int s = 0; s < options.shards; ++s) copies_.emplace_back(rows, stride);
}

void ShardedRows::merge(Matrix& base) {
  constexpr Index kRowsPerChunk = 128;
  parallel_for(base.rows(), kRowsPerChunk, [&](Index begin, Index end) {
    std::array<const float*, kMaxShards> met;
    for (Index row = begin; row < end; ++row) {
      std::size_t count = 0;
      double updates = 0.0;
      for (RowCopies& shard : copies_) {
        const std::int32_t slot = std::exchange(shard.slot_[row], -1);
        if (slot < 0) continue;
        met[count++] = shard.data_.data() + slot * shard.stride_;
        updates += shard.uses_[slot];
      }
      if (count == 1) {
        std::copy_n(met[0], base.stride(), base.row(row));
      } else if (count > 1) {
        const double factor =
            std::clamp(patience_ / updates, 1.0 / static_cast<double>(count), 1.0);
        kernels::skipgram_merge(base.row(row), {met.data(), count}, static_cast<float>(factor),
                                base.stride());
      }
    }
  });
  for (RowCopies& shard : copies_) shard.made_ = 0;
}

}  // namespace scrl
