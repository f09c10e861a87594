#include "neighbors/knn_descent.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "base/parallel.h"

namespace scrl::knn {
namespace {

// Of a list; more of it finds a little more, and costs its square.
constexpr int kMaxReach = 12;

// Ids, each once, in the order in which they came.
class DistinctIds {
 public:
  void clear() {
    std::ranges::fill(slot_, -1);
    ids_.clear();
  }
  void add(NodeId id) {
    if (2 * ids_.size() >= slot_.size()) grow();
    NodeId& slot = slot_[where(id)];
    if (slot == id) return;
    slot = id;
    ids_.push_back(id);
  }
  std::span<const NodeId> ids() const { return ids_; }

 private:
  // The slot of an id, or the free one that it would get.
  std::size_t where(NodeId id) const {
    const std::size_t mask = slot_.size() - 1;
    std::size_t at = (static_cast<std::uint32_t>(id) * 0x9E3779B1u >> 8) & mask;
    while (slot_[at] >= 0 && slot_[at] != id) at = (at + 1) & mask;
    return at;
  }
  void grow() {
    slot_.assign(2 * slot_.size(), -1);
    for (const NodeId id : ids_) slot_[where(id)] = id;
  }

  std::vector<NodeId> ids_;
  std::vector<NodeId> slot_ = std::vector<NodeId>(2048, -1);
};

// One row unpacked, to be multiplied with others. Four at a time hide each other's latency.
class OneRow {
 public:
  explicit OneRow(const Rows& rows) : rows_(rows), dense_(static_cast<std::size_t>(rows.x.cols)) {}

  void offer(Index i, std::span<const NodeId> candidates, Best& best) {
    fill(i, /*clear=*/false);
    if (rows_.ones) {
      offer_all<true>(candidates, best);
    } else {
      offer_all<false>(candidates, best);
    }
    fill(i, /*clear=*/true);
  }

 private:
  template <bool kOnes>
  void offer_all(std::span<const NodeId> candidates, Best& best) const {
    std::size_t n = 0;
    for (; n + 4 <= candidates.size(); n += 4) {
      for (std::size_t ahead = n + 4; ahead < std::min(n + 8, candidates.size()); ++ahead)
        prefetch<kOnes>(candidates[ahead]);
      const std::array<float, 4> dots = four_dots<kOnes>(candidates.data() + n);
      for (int c = 0; c < 4; ++c) offer_one(candidates[n + c], dots[c], best);
    }
    for (; n < candidates.size(); ++n)
      offer_one(candidates[n], tail<kOnes>(candidates[n], 0, 0.0f), best);
  }
  void offer_one(NodeId j, float dot, Best& best) const {
    if (dot * rows_.inverse_norm[j] > best.threshold()) best.offer(j, dot, rows_.squares[j]);
  }
  void fill(Index i, bool clear) {
    const auto columns = rows_.x.row_cols(i);
    const auto values = rows_.x.row_vals(i);
    for (std::size_t e = 0; e < columns.size(); ++e) dense_[columns[e]] = clear ? 0.0f : values[e];
  }
  template <bool kOnes>
  void prefetch(NodeId j) const {
    const Index begin = rows_.x.row_ptr[j], end = rows_.x.row_ptr[j + 1];
    for (Index e = begin; e < end; e += 16) {
      __builtin_prefetch(rows_.x.col.data() + e);
      if (!kOnes) __builtin_prefetch(rows_.x.val.data() + e);
    }
  }
  template <bool kOnes>
  float tail(NodeId j, Index from, float sum) const {
    for (Index e = rows_.x.row_ptr[j] + from; e < rows_.x.row_ptr[j + 1]; ++e)
      sum += kOnes ? dense_[rows_.x.col[e]] : dense_[rows_.x.col[e]] * rows_.x.val[e];
    return sum;
  }
  template <bool kOnes>
  std::array<float, 4> four_dots(const NodeId* j) const {
    std::array<const NodeId*, 4> col;
    std::array<const float*, 4> val;
    Index common = rows_.x.row_nnz(j[0]);
    for (int c = 0; c < 4; ++c) {
      col[c] = rows_.x.col.data() + rows_.x.row_ptr[j[c]];
      val[c] = rows_.x.val.data() + rows_.x.row_ptr[j[c]];
      common = std::min(common, rows_.x.row_nnz(j[c]));
    }
    std::array<float, 4> sum{};
    for (Index e = 0; e < common; ++e) {
      for (int c = 0; c < 4; ++c)
        sum[c] += kOnes ? dense_[col[c][e]] : dense_[col[c][e]] * val[c][e];
    }
    for (int c = 0; c < 4; ++c) sum[c] = tail<kOnes>(j[c], common, sum[c]);
    return sum;
  }

  const Rows& rows_;
  std::vector<float> dense_;
};

}  // namespace

NnDescent::NnDescent(const Rows& rows, Lists& lists)
    : rows_(rows),
      lists_(lists),
      reach_(std::min(std::max(1, 2 * lists.k / 3), kMaxReach)),
      fresh_(static_cast<std::size_t>(rows.x.rows * reach_), 1),
      begin_(static_cast<std::size_t>(rows.x.rows) + 1) {}

// The first entries of every list, and in the other direction at most as many: those that list a
// row first, before those that list it second, and so on.
void NnDescent::link() {
  const Index n = rows_.x.rows;
  std::vector<std::uint8_t> mine(static_cast<std::size_t>(n)), theirs(mine);
  const auto each = [&](auto&& call) {
    for (int rank = 0; rank < reach_; ++rank) {
      for (Index i = 0; i < n; ++i) {
        if (const NodeId j = lists_.id[i * lists_.k + rank]; j >= 0) call(i, j, rank);
      }
    }
  };
  each([&](Index i, NodeId j, int) {
    ++mine[i];
    if (theirs[j] < reach_) ++theirs[j];
  });
  for (Index i = 0; i < n; ++i) begin_[i + 1] = begin_[i] + mine[i] + theirs[i];
  links_.resize(static_cast<std::size_t>(begin_[n]));
  std::fill(theirs.begin(), theirs.end(), std::uint8_t{0});
  each([&](Index i, NodeId j, int rank) {
    const bool fresh = fresh_[i * reach_ + rank];
    links_[begin_[i] + rank] = {j, fresh};
    if (theirs[j] == reach_) return;
    links_[begin_[j] + mine[j] + theirs[j]++] = {static_cast<NodeId>(i), fresh};
  });
}

Index NnDescent::round() {
  link();
  const int k = lists_.k;
  constexpr Index kGrain = 1024;
  std::vector<Index> changed(static_cast<std::size_t>(chunk_count(rows_.x.rows, kGrain)));
  parallel_for(rows_.x.rows, kGrain, [&](Index begin, Index end) {
    OneRow row(rows_);
    Best best = lists_.best(rows_);
    DistinctIds candidates;
    std::vector<NodeId> old(static_cast<std::size_t>(k));
    const auto links_of = [&](Index i) {
      return std::span(links_.data() + begin_[i], begin_[i + 1] - begin_[i]);
    };
    for (Index i = begin; i < end; ++i) {
      // A path of two old links was looked at before.
      candidates.clear();
      for (const Link& near : links_of(i)) {
        if (near.fresh) candidates.add(near.to);
        for (const Link& far : links_of(near.to))
          if ((near.fresh || far.fresh) && far.to != i) candidates.add(far.to);
      }
      NodeId* list = lists_.id.data() + i * k;
      std::copy(list, list + k, old.begin());
      lists_.load(rows_, i, best);
      row.offer(i, candidates.ids(), best);
      lists_.save(i, best);
      changed[begin / kGrain] += !std::equal(old.begin(), old.end(), list);
      for (int n = 0; n < reach_; ++n)
        fresh_[i * reach_ + n] = std::find(old.begin(), old.end(), list[n]) == old.end();
    }
  });
  return std::accumulate(changed.begin(), changed.end(), Index{0});
}

}  // namespace scrl::knn
