#include "points/knn.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/parallel.h"
#include "kernels/kernels.h"
#include "points/knn_rows.h"
#include "tensor/matrix.h"

namespace scrl {
namespace {

using kernels::kDotBlock;
using knn::Best;
using knn::Rows;

Rows prepare(const Csr& X) {
  Rows rows{.x = X};
  rows.squares.resize(X.rows);
  rows.inverse_norm.resize(X.rows);
  for (Index i = 0; i < X.rows; ++i) {
    float largest = 0;
    for (const float v : X.row_vals(i)) largest = std::max(largest, std::abs(v));
    if (largest == 0) continue;
    const int exponent = std::ilogb(largest);
    double squares = 0;
    for (Index e = X.row_ptr[i]; e < X.row_ptr[i + 1]; ++e) {
      const float v = std::scalbn(X.val[e], -exponent);
      rows.x.val[e] = v;
      squares += static_cast<double>(v) * v;
    }
    rows.squares[i] = squares;
    rows.inverse_norm[i] = static_cast<float>(1 / std::sqrt(squares));
  }
  return rows;
}

// One row at a time: adds the lists of all rows that share a feature with it. Nodes come in groups,
// and only the groups a sum went to are looked through and cleared.
class InvertedSearch {
 public:
  InvertedSearch(const Rows& rows, const Csr& index)
      : rows_(rows), index_(index), sum_(rows.x.rows), touched_(rows.x.rows / kGroup + 1) {}

  void search(Index i, Best& best) {
    const auto columns = rows_.x.row_cols(i);
    const auto values = rows_.x.row_vals(i);
    for (std::size_t e = 0; e < columns.size(); ++e) {
      const auto others = index_.row_cols(columns[e]);
      const auto weights = index_.row_vals(columns[e]);
      for (std::size_t o = 0; o < others.size(); ++o) {
        sum_[others[o]] += values[e] * weights[o];
        touched_[others[o] / kGroup] = 1;
      }
    }
    for (std::size_t group = 0; group < touched_.size(); ++group) {
      if (!touched_[group]) continue;
      touched_[group] = 0;
      const Index end = std::min<Index>(rows_.x.rows, (group + 1) * kGroup);
      for (Index j = group * kGroup; j < end; ++j) {
        if (sum_[j] * rows_.inverse_norm[j] > best.threshold() && j != i) {
          best.offer(static_cast<NodeId>(j), sum_[j], rows_.squares[j]);
        }
        sum_[j] = 0;
      }
    }
  }

 private:
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

  // Offers every row to each of the rows [begin, begin + best.size()), at most kDotBlock of them.
  void search(Index begin, std::vector<Best>& best) {
    unpack(begin, best.size(), /*clear=*/false);
    const Index count = static_cast<Index>(best.size());
    float* threshold = threshold_.row(0);
    float* dots = dots_.row(0);
    for (Index r = 0; r < kDotBlock; ++r)
      threshold[r] = r < count ? 0.0f : std::numeric_limits<float>::infinity();
    for (Index j = 0; j < rows_.x.rows; ++j) {
      if (!kernels::block_dots(rows_.x.row_cols(j), rows_.x.row_vals(j), dense_.data(),
                               rows_.inverse_norm[j], threshold, dots))
        continue;
      for (Index r = 0; r < count; ++r) {
        if (!(dots[r] * rows_.inverse_norm[j] > threshold[r]) || begin + r == j) continue;
        best[r].offer(static_cast<NodeId>(j), dots[r], rows_.squares[j]);
        threshold[r] = best[r].threshold();
      }
    }
    unpack(begin, best.size(), /*clear=*/true);
  }

 private:
  void unpack(Index begin, std::size_t count, bool clear) {
    for (Index r = 0; r < static_cast<Index>(count); ++r) {
      const auto columns = rows_.x.row_cols(begin + r);
      const auto values = rows_.x.row_vals(begin + r);
      for (std::size_t e = 0; e < columns.size(); ++e)
        dense_[columns[e] * kDotBlock + r] = clear ? 0.0f : values[e];
    }
  }

  const Rows& rows_;
  std::vector<float, AlignedAllocator<float>> dense_;
  Matrix threshold_, dots_;
};

// Both searches add the same products in the same order, so the choice between them is one of speed
// alone. The factor is a rough cost of one multiply-add of the inverted search in steps of the
// blocked one, with 512-bit vectors.
bool blocked_is_faster(const Rows& rows, const Csr& index) {
  constexpr double kInvertedCost = 0.4;
  constexpr Index kMaxScratch = Index{1} << 21;  // floats; beyond this it leaves every cache
  double inverted = 0;
  for (Index f = 0; f < index.rows; ++f) {
    inverted += static_cast<double>(index.row_nnz(f)) * static_cast<double>(index.row_nnz(f));
  }
  const double blocked = static_cast<double>(chunk_count(rows.x.rows, kDotBlock)) *
                         static_cast<double>(rows.x.nnz() + rows.x.rows);
  return rows.x.cols * kDotBlock <= kMaxScratch && blocked < kInvertedCost * inverted;
}

}  // namespace

Neighbours nearest(const Csr& X, int k) {
  check(k >= 1 && k <= kMaxNeighbours, "nearest: expected k in 1..", kMaxNeighbours, ", got ", k);
  Neighbours out{.nodes = X.rows, .k = k};
  out.id.assign(static_cast<std::size_t>(X.rows * k), -1);
  out.similarity.assign(static_cast<std::size_t>(X.rows * k), 0.0f);
  const Rows rows = prepare(X);
  const auto store = [&](const Best& best, Index i) {
    best.store(rows, i, out.id.data() + i * k, out.similarity.data() + i * k);
  };

  const Csr index = transpose(rows.x);
  if (blocked_is_faster(rows, index)) {
    constexpr Index kBlocksPerChunk = 4;  // so that one scratch serves several blocks
    parallel_for(X.rows, kBlocksPerChunk * kDotBlock, [&](Index begin, Index end) {
      BlockedSearch blocked(rows);
      for (Index i = begin; i < end; i += kDotBlock) {
        std::vector<Best> best(std::min(kDotBlock, end - i), Best(k));
        blocked.search(i, best);
        for (std::size_t r = 0; r < best.size(); ++r) store(best[r], i + static_cast<Index>(r));
      }
    });
  } else {
    parallel_for(X.rows, 256, [&](Index begin, Index end) {
      InvertedSearch inverted(rows, index);
      for (Index i = begin; i < end; ++i) {
        Best best(k);
        inverted.search(i, best);
        store(best, i);
      }
    });
  }
  return out;
}

}  // namespace scrl
