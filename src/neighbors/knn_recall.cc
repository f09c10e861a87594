#include "neighbors/knn_recall.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/rng.h"

namespace scrl {
namespace {

constexpr double kNormal = 1.959964;  // of 95 %

// What was found of the neighbours of one row.
struct Part {
  double found, wanted;
};

// Of found / wanted, a ratio of sums over rows.
double variance_of_ratio(std::span<const Part> parts, double ratio) {
  double squares = 0, wanted = 0;
  for (const Part& p : parts) {
    const double residual = p.found - ratio * p.wanted;
    squares += residual * residual;
    wanted += p.wanted;
  }
  const double count = static_cast<double>(parts.size());
  return count > 1 ? squares * count / (count - 1) / (wanted * wanted) : 0;
}

void set_interval(std::span<const Part> parts, Index all_rows, Recall& r) {
  const double share = static_cast<double>(parts.size()) / static_cast<double>(all_rows);
  if (share >= 1) {
    r.low = r.high = r.found;
    return;
  }
  const double variance = variance_of_ratio(parts, r.found) * (1 - share);
  // With no variance seen, a row counts as one observation.
  const double n = variance > 0 ? r.found * (1 - r.found) / variance
                                : static_cast<double>(parts.size()) / (1 - share);
  const double z = kNormal * kNormal / n;
  const double middle = (r.found + z / 2) / (1 + z);
  const double half = std::sqrt(z * (r.found * (1 - r.found) + z / 4)) / (1 + z);
  r.low = r.found == 0 ? 0 : std::max(0.0, middle - half);  // exactly, whatever rounding says
  r.high = r.found == 1 ? 1 : std::min(1.0, middle + half);
}

}  // namespace

Recall recall(const CsrView& X, const Neighbours& result, std::span<const NodeId> sample) {
  const int k = result.k;
  const Neighbours exact = nearest_of(X, k, sample);
  std::vector<Part> parts;
  double found = 0, wanted = 0, similarity = 0, best_similarity = 0;
  for (std::size_t s = 0; s < sample.size(); ++s) {
    const NodeId* right = exact.id.data() + s * k;
    const float* right_similarity = exact.similarity.data() + s * k;
    const float* got = result.similarity.data() + Index{sample[s]} * k;
    const auto have = std::find(right, right + k, NodeId{-1}) - right;
    if (have == 0) continue;
    Part part{0, static_cast<double>(have)};
    for (int n = 0; n < have; ++n) {
      part.found += got[n] >= right_similarity[have - 1];
      similarity += got[n];
      best_similarity += right_similarity[n];
    }
    parts.push_back(part);
    found += part.found;
    wanted += part.wanted;
  }
  Recall out{.rows = static_cast<Index>(sample.size())};
  if (wanted == 0) return out;
  out.found = found / wanted;
  out.similarity = similarity / best_similarity;
  set_interval(parts, X.rows, out);
  return out;
}

std::vector<NodeId> sample_rows(Index rows, Index count) {
  std::vector<NodeId> out(static_cast<std::size_t>(rows));
  std::iota(out.begin(), out.end(), NodeId{0});
  if (count >= rows) return out;
  const Rng rng(0, Purpose::kNeighbours, 0xFFFFFF);
  std::vector<std::uint32_t> draw(out.size());
  for (std::size_t i = 0; i < draw.size(); ++i) draw[i] = rng.at(i)[0];
  const auto before = [&](NodeId a, NodeId b) {
    return draw[a] < draw[b] || (draw[a] == draw[b] && a < b);
  };
  std::nth_element(out.begin(), out.begin() + count, out.end(), before);
  out.resize(static_cast<std::size_t>(count));
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace scrl
