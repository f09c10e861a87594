#include "neighbors/knn_leaf.h"

#include <algorithm>
#include <limits>
#include <type_traits>

#include "base/parallel.h"

namespace scrl::knn {
namespace {

constexpr Index kTile = 16384;  // rows; a number of one fits 16 bits
constexpr std::size_t kGroup = 64;

// Some rows, by length, and for each feature those that have it.
template <class Sum>
class Tile {
 public:
  static constexpr bool kCounts = std::is_integral_v<Sum>;

  Tile(const Rows& rows, std::span<const NodeId> members)
      : rows_(rows), row_(members.begin(), members.end()), begin_(rows.x.cols + 2) {
    std::sort(row_.begin(), row_.end(), [&](NodeId a, NodeId b) {
      return rows.squares[a] < rows.squares[b] || (rows.squares[a] == rows.squares[b] && a < b);
    });
    for (const NodeId i : row_)
      for (const NodeId c : rows.x.row_cols(i)) ++begin_[c + 2];
    for (std::size_t c = 2; c < begin_.size(); ++c) begin_[c] += begin_[c - 1];
    place_.resize(begin_.back());
    if (!kCounts) value_.resize(place_.size());
    for (std::size_t n = 0; n < row_.size(); ++n) {
      const auto columns = rows.x.row_cols(row_[n]);
      const auto values = rows.x.row_vals(row_[n]);
      for (std::size_t e = 0; e < columns.size(); ++e) {
        const std::uint32_t at = begin_[columns[e] + 1]++;
        place_[at] = static_cast<std::uint16_t>(n);
        if (!kCounts) value_[at] = values[e];
      }
    }
    for (std::size_t n = 0; n < row_.size(); n += kGroup)
      shortest_.push_back(static_cast<float>(std::sqrt(rows.squares[row_[n]])));
  }

  // `sum`: kTile zeros, which it leaves behind.
  void offer(NodeId i, Sum* sum, Best& best) const {
    const auto columns = rows_.x.row_cols(i);
    const auto values = rows_.x.row_vals(i);
    for (std::size_t e = 0; e < columns.size(); ++e) {
      const std::uint32_t end = begin_[columns[e] + 1];
      for (std::uint32_t at = begin_[columns[e]]; at < end; ++at) {
        if constexpr (kCounts) {
          ++sum[place_[at]];
        } else {
          sum[place_[at]] += values[e] * value_[at];
        }
      }
    }
    for (std::size_t group = 0; group < shortest_.size(); ++group) {
      Sum* of = sum + group * kGroup;
      // No row of the group is shorter, so with a smaller sum none of them enters.
      const Sum bound = bound_of(best.threshold() * shortest_[group]);
      Sum largest = 0;
      for (std::size_t n = 0; n < kGroup; ++n) largest = std::max(largest, of[n]);
      if (largest > bound) look_through(group, of, i, best);
      std::fill(of, of + kGroup, Sum{0});
    }
  }

 private:
  static Sum bound_of(float sum) {
    if constexpr (kCounts) {
      return static_cast<Sum>(
          std::min(sum, static_cast<float>(std::numeric_limits<Sum>::max() - 1)));
    }
    return static_cast<Sum>(sum);
  }
  void look_through(std::size_t group, const Sum* sum, NodeId i, Best& best) const {
    const std::size_t first = group * kGroup, count = std::min(kGroup, row_.size() - first);
    for (std::size_t n = 0; n < count; ++n) {
      const NodeId j = row_[first + n];
      const float dot = sum[n];
      if (dot * rows_.inverse_norm[j] > best.threshold() && j != i)
        best.offer(j, dot, rows_.squares[j]);
    }
  }

  const Rows& rows_;
  std::vector<NodeId> row_;
  std::vector<float> shortest_;       // length of the first row of each group
  std::vector<std::uint32_t> begin_;  // of each feature's list
  std::vector<std::uint16_t> place_;  // in row_
  std::vector<float> value_;
};

template <class Sum>
void compare(const Rows& rows, std::span<const NodeId> leaf, Lists& lists) {
  for (std::size_t first = 0; first < leaf.size(); first += kTile) {
    const Tile<Sum> tile(rows,
                         leaf.subspan(first, std::min<std::size_t>(kTile, leaf.size() - first)));
    parallel_for(static_cast<Index>(leaf.size()), 1024, [&](Index begin, Index end) {
      std::vector<Sum> sum(kTile);
      Best best = lists.best(rows);
      for (const NodeId i : leaf.subspan(begin, end - begin)) {
        lists.load(rows, i, best);
        tile.offer(i, sum.data(), best);
        lists.save(i, best);
      }
    });
  }
}

}  // namespace

void compare_within(const Rows& rows, std::span<const NodeId> leaf, Lists& lists) {
  if (rows.ones) {
    compare<std::int16_t>(rows, leaf, lists);
  } else {
    compare<float>(rows, leaf, lists);
  }
}

Index leaf_for_time(const Rows& rows, double nanoseconds) {
  constexpr double kLook = 0.1, kCount = 0.5, kProduct = 1.0;        // nanoseconds, measured
  std::vector<double> share(static_cast<std::size_t>(rows.x.cols));  // of the rows with a feature
  for (const NodeId c : rows.x.col) share[c] += 1.0 / static_cast<double>(rows.x.rows);
  double common = 0;  // features of two rows
  for (const double s : share) common += s * s;
  return static_cast<Index>(nanoseconds / (kLook + common * (rows.ones ? kCount : kProduct)));
}

}  // namespace scrl::knn
