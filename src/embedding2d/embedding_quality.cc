#include "embedding2d/embedding_quality.h"

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/function_ref.h"
#include "base/parallel.h"
#include "embedding2d/tsne_neighbors.h"
#include "tensor/distance.h"

namespace scrl {
namespace {

using Distances = std::vector<double>;  // squared, to every row

struct RowCounts {
  double excess = 0;  // sum of r - k
  Index found = 0;
};

std::vector<NodeId> map_neighbours(const Matrix& plane, Index i, int k) {
  std::vector<std::pair<double, NodeId>> all;
  all.reserve(static_cast<std::size_t>(plane.rows()));
  for (Index j = 0; j < plane.rows(); ++j) {
    const double dx = double{plane(i, 0)} - plane(j, 0), dy = double{plane(i, 1)} - plane(j, 1);
    if (j != i) all.emplace_back(dx * dx + dy * dy, static_cast<NodeId>(j));
  }
  std::nth_element(all.begin(), all.begin() + k, all.end());
  std::vector<NodeId> out(static_cast<std::size_t>(k));
  for (int s = 0; s < k; ++s) out[s] = all[s].second;
  return out;
}

RowCounts count_row(const Distances& d, Index i, std::span<const NodeId> neighbours) {
  RowCounts out;
  const auto k = static_cast<Index>(neighbours.size());
  for (const NodeId j : neighbours) {
    Index rank = 1;
    for (Index o = 0; o < static_cast<Index>(d.size()); ++o)
      rank += o != i && (d[o] < d[j] || (d[o] == d[j] && o < j)) ? 1 : 0;
    out.found += rank <= k ? 1 : 0;
    out.excess += static_cast<double>(std::max<Index>(0, rank - k));
  }
  return out;
}

EmbeddingQuality quality(Index rows, const Matrix& plane, int k, std::span<const NodeId> sample,
                         FunctionRef<void(Index, Distances&)> distances) {
  check(plane.rows() == rows && plane.cols() == 2, "quality: expected a plane of ", rows,
        "x2 numbers, got ", plane.rows(), "x", plane.cols());
  check(k >= 1 && 2 * k < rows, "quality: expected k from 1 to below half of ", rows,
        " points, got ", k);
  if (sample.empty()) return {};
  const auto asked = static_cast<Index>(sample.size());
  std::vector<RowCounts> counts(sample.size());
  parallel_for(asked, 4, [&](Index begin, Index end) {
    Distances d(static_cast<std::size_t>(rows));
    for (Index s = begin; s < end; ++s) {
      distances(sample[s], d);
      counts[s] = count_row(d, sample[s], map_neighbours(plane, sample[s], k));
    }
  });
  double excess = 0, found = 0;
  for (const RowCounts& c : counts) excess += c.excess, found += static_cast<double>(c.found);
  const double pairs = static_cast<double>(asked) * k;
  const double most = static_cast<double>(2 * rows - 3 * k - 1);
  return {1 - 2 / (pairs * most) * excess, found / pairs};
}

}  // namespace

EmbeddingQuality embedding_quality(const Matrix& X, const Matrix& plane, int k,
                                   std::span<const NodeId> sample) {
  return quality(X.rows(), plane, k, sample, [&](Index i, Distances& d) {
    for (Index j = 0; j < X.rows(); ++j) d[j] = squared_distance(X.row(i), X.row(j), X.stride());
  });
}

EmbeddingQuality embedding_quality(const Csr& X, const Matrix& plane, int k,
                                   std::span<const NodeId> sample) {
  const Csr U = unit_rows(X);
  return quality(X.rows, plane, k, sample, [&](Index i, Distances& d) {
    std::vector<float> dense(static_cast<std::size_t>(U.cols));
    for (Index e = U.row_ptr[i]; e < U.row_ptr[i + 1]; ++e) dense[U.col[e]] = U.val[e];
    const bool empty = U.row_nnz(i) == 0;
    for (Index j = 0; j < U.rows; ++j) {
      double dot = 0;
      for (Index e = U.row_ptr[j]; e < U.row_ptr[j + 1]; ++e)
        dot += double{U.val[e]} * dense[U.col[e]];
      d[j] = empty && U.row_nnz(j) == 0 ? 0 : 2 - 2 * dot;
    }
  });
}

}  // namespace scrl
