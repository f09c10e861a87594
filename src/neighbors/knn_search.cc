#include "neighbors/knn_search.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/parallel.h"
#include "kernels/block_dots.h"
#include "tensor/matrix.h"

namespace scrl::knn {
namespace {

using kernels::kDotBlock;

// One row at a time: adds the lists of all rows that share a feature with it. Nodes come in groups.
// If few of them are touched, only those groups are looked through and cleared.
class InvertedSearch {
 public:
  InvertedSearch(const Rows& rows, const Csr& index)
      : rows_(rows), index_(index), sum_(rows.x.rows), touched_(rows.x.rows / kGroup + 1) {}

  void search(Index i, Best& best) {
    Index work = 0;
    for (const NodeId c : rows_.x.row_cols(i)) work += index_.row_nnz(c);
    const bool few = work < static_cast<Index>(touched_.size());
    if (few) {
      add_lists<true>(i);
    } else {
      add_lists<false>(i);
    }
    for (std::size_t group = 0; group < touched_.size(); ++group) {
      if (few && !touched_[group]) continue;
      touched_[group] = 0;
      look_through(group * kGroup, std::min<Index>(rows_.x.rows, (group + 1) * kGroup), i, best);
    }
  }

 private:
  template <bool kMark>
  void add_lists(Index i) {
    const auto columns = rows_.x.row_cols(i);
    const auto values = rows_.x.row_vals(i);
    for (std::size_t e = 0; e < columns.size(); ++e) {
      const auto others = index_.row_cols(columns[e]);
      const auto weights = index_.row_vals(columns[e]);
      for (std::size_t o = 0; o < others.size(); ++o) {
        sum_[others[o]] += values[e] * weights[o];
        if (kMark) touched_[others[o] / kGroup] = 1;
      }
    }
  }

  void look_through(Index begin, Index end, Index i, Best& best) {
    const float* inverse_norm = rows_.inverse_norm.data();
    float* sum = sum_.data();
    const float threshold = best.threshold();
    int any = 0;
    for (Index j = begin; j < end; ++j) any |= sum[j] * inverse_norm[j] > threshold;
    for (Index j = begin; any && j < end; ++j) {
      if (sum[j] * inverse_norm[j] > best.threshold() && j != i)
        best.offer(static_cast<NodeId>(j), sum[j], rows_.squares[j]);
    }
    std::fill(sum + begin, sum + end, 0.0f);
  }

  static constexpr Index kGroup = 64;
  const Rows& rows_;
  const Csr& index_;
  std::vector<float> sum_;
  std::vector<std::uint8_t> touched_;
};

// kDotBlock rows at a time: they are unpacked side by side, dense[column][row], and every row is
// multiplied with all of them at once.
class BlockedSearch {
 public:
  explicit BlockedSearch(const Rows& rows)
      : rows_(rows),
        dense_(rows.x.cols * kDotBlock),
        threshold_(1, kDotBlock),
        dots_(1, kDotBlock) {}

  // At most kDotBlock rows.
  void search(std::span<const NodeId> queries, std::span<Best> best) {
    unpack(queries, /*clear=*/false);
    const Index count = static_cast<Index>(queries.size());
    float* threshold = threshold_.row(0);
    float* dots = dots_.row(0);
    for (Index r = 0; r < kDotBlock; ++r)
      threshold[r] = r < count ? best[r].threshold() : std::numeric_limits<float>::infinity();
    for (Index j = 0; j < rows_.x.rows; ++j) {
      if (!kernels::block_dots(rows_.x.row_cols(j), rows_.x.row_vals(j), dense_.data(),
                               rows_.inverse_norm[j], threshold, dots))
        continue;
      for (Index r = 0; r < count; ++r) {
        if (!(dots[r] * rows_.inverse_norm[j] > threshold[r]) || queries[r] == j) continue;
        best[r].offer(static_cast<NodeId>(j), dots[r], rows_.squares[j]);
        threshold[r] = best[r].threshold();
      }
    }
    unpack(queries, /*clear=*/true);
  }

 private:
  void unpack(std::span<const NodeId> queries, bool clear) {
    for (std::size_t r = 0; r < queries.size(); ++r) {
      const auto columns = rows_.x.row_cols(queries[r]);
      const auto values = rows_.x.row_vals(queries[r]);
      for (std::size_t e = 0; e < columns.size(); ++e)
        dense_[columns[e] * kDotBlock + r] = clear ? 0.0f : values[e];
    }
  }

  const Rows& rows_;
  std::vector<float, AlignedAllocator<float>> dense_;
  Matrix threshold_, dots_;
};

}  // namespace

double blocked_cost(Index queries, Index rows, Index nnz) {
  return static_cast<double>(chunk_count(queries, kDotBlock)) * static_cast<double>(nnz + rows);
}

// The blocked way: one step per stored value of every row, for kDotBlock rows at a time, with
// 512-bit vectors. The inverted way: one addition per pair and common feature, dearer if each meets
// a cache line of its own, and a look at every sum. The factors were measured.
Cost search_cost(const CsrView& x, std::span<const NodeId> queries) {
  constexpr double kAddition = 0.4, kScatteredAddition = 1.0, kLook = 0.1, kListed = 3;
  constexpr Index kMaxScratch = Index{1} << 21;  // floats; beyond this it leaves every cache
  std::vector<double> having(static_cast<std::size_t>(x.cols));  // rows that have a feature
  for (std::size_t e = 0; e < x.col.size(); ++e) ++having[static_cast<std::size_t>(x.col[e])];
  const auto list = [&](double n) {
    return n * (n * kLane < static_cast<double>(x.rows) ? kScatteredAddition : kAddition);
  };
  double additions = 0;
  if (queries.empty()) {
    for (const double n : having) additions += n * list(n);
  }
  if (!queries.empty()) additions += kListed * static_cast<double>(x.nnz());  // to list all rows
  for (const NodeId i : queries) {
    const auto row = static_cast<std::size_t>(i),
               end = static_cast<std::size_t>(x.row_ptr[row + 1]);
    for (auto e = static_cast<std::size_t>(x.row_ptr[row]); e < end; ++e)
      additions += list(having[static_cast<std::size_t>(x.col[e])]);
  }
  const Index asked = queries.empty() ? x.rows : static_cast<Index>(queries.size());
  const double pairs = static_cast<double>(asked) * static_cast<double>(x.rows);
  const double blocked = blocked_cost(asked, x.rows, x.nnz());
  return {.blocked =
              x.cols * kDotBlock <= kMaxScratch ? blocked : std::numeric_limits<double>::infinity(),
          .inverted = additions + std::min(kLook * pairs, 64 * kLook * additions)};
}

Search::Search(const Rows& rows, std::span<const NodeId> queries) : rows_(rows) {
  const Cost cost = search_cost(rows.x, queries);
  blocked_ = cost.blocked < cost.inverted;
  if (!blocked_) index_ = transpose(rows.x);
}

void Search::run(std::span<const NodeId> queries, std::span<Best> best) const {
  check(queries.size() == best.size(), "knn: ", queries.size(), " rows, ", best.size(), " lists");
  if (blocked_) {
    BlockedSearch blocked(rows_);
    for (std::size_t n = 0; n < queries.size(); n += kDotBlock) {
      const std::size_t count = std::min<std::size_t>(kDotBlock, queries.size() - n);
      blocked.search(queries.subspan(n, count), best.subspan(n, count));
    }
  } else {
    InvertedSearch inverted(rows_, index_);
    for (std::size_t n = 0; n < queries.size(); ++n) inverted.search(queries[n], best[n]);
  }
}

}  // namespace scrl::knn
