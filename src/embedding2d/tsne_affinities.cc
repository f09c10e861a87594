#include "embedding2d/tsne_affinities.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/parallel.h"

namespace scrl {
namespace {

constexpr int kSteps = 100;
constexpr double kTolerance = 1e-7;  // of the entropy
constexpr double kSteepest =
    1e12;                     // of b times the usual distance: beyond it only the nearest count
constexpr double kFar = 1e6;  // a mean so many times the median tells of a few far points alone

// `out` is conditional + its transpose, times `factor`. Columns of both ascend.
Csr symmetric(const Csr& conditional, double factor) {
  const Csr other = transpose(conditional);
  Csr out;
  out.rows = out.cols = conditional.rows;
  for (Index i = 0; i < out.rows; ++i) {
    const auto a = conditional.row_cols(i), b = other.row_cols(i);
    const auto av = conditional.row_vals(i), bv = other.row_vals(i);
    for (std::size_t s = 0, t = 0; s < a.size() || t < b.size();) {
      const bool left = t == b.size() || (s < a.size() && a[s] <= b[t]);
      const bool right = s == a.size() || (t < b.size() && b[t] <= a[s]);
      const NodeId column = left ? a[s] : b[t];
      const double sum = (left ? double{av[s]} : 0.0) + (right ? double{bv[t]} : 0.0);
      const auto value = static_cast<float>(sum * factor);
      s += left ? 1 : 0, t += right ? 1 : 0;
      if (value == 0) continue;
      out.col.push_back(column);
      out.val.push_back(value);
    }
    out.row_ptr.push_back(out.nnz());
  }
  return out;
}

// Their mean; the median where a few of them are so large that the mean says nothing of the others.
double usual_distance(const std::vector<double>& d) {
  const double mean = std::accumulate(d.begin(), d.end(), 0.0) / static_cast<double>(d.size());
  std::vector<double> sorted = d;
  const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
  std::nth_element(sorted.begin(), middle, sorted.end());
  return *middle > 0 && mean > kFar * *middle ? *middle : mean;
}

}  // namespace

// Newton's method on the entropy, H' = -b Var(d^2), kept within bounds that close in.
std::vector<double> row_affinities(std::span<const double> squared, double perplexity) {
  const double nearest = *std::min_element(squared.begin(), squared.end());
  std::vector<double> d(squared.begin(), squared.end()), p(d.size());
  for (double& x : d) x -= nearest;
  const double usual = usual_distance(d);
  if (!(usual > 0)) {
    std::fill(p.begin(), p.end(), 1.0 / static_cast<double>(p.size()));
    return p;
  }
  const double target = std::log(perplexity);
  double b = 1 / usual, low = 0, high = kSteepest / usual;
  for (int step = 0; step < kSteps; ++step) {
    double total = 0, first = 0, second = 0;
    for (std::size_t j = 0; j < d.size(); ++j) {
      p[j] = std::exp(-b * d[j]);
      total += p[j];
      first += p[j] * d[j];
      second += p[j] * d[j] * d[j];
    }
    first /= total, second /= total;
    for (double& x : p) x /= total;
    const double entropy = std::log(total) + b * first, error = entropy - target;
    if (std::abs(error) <= kTolerance || high - low <= 1e-12 * high) break;
    (error > 0 ? low : high) = b;
    const double next = b + error / std::max(b * (second - first * first), 1e-300);
    b = next > low && next < high ? next : high < kSteepest / usual ? (low + high) / 2 : 4 * b;
    b = std::min(b, kSteepest / usual);
  }
  return p;
}

Csr joint_affinities(const DenseNeighbours& neighbours, double perplexity) {
  const Index n = neighbours.nodes, k = neighbours.k;
  Csr conditional;
  conditional.rows = conditional.cols = n;
  conditional.col.resize(static_cast<std::size_t>(n * k));
  conditional.val.resize(conditional.col.size());
  conditional.row_ptr.resize(static_cast<std::size_t>(n + 1));
  for (Index i = 0; i <= n; ++i) conditional.row_ptr[i] = i * k;
  parallel_for(n, 64, [&](Index begin, Index end) {
    std::vector<std::pair<NodeId, float>> row(static_cast<std::size_t>(k));
    for (Index i = begin; i < end; ++i) {
      const std::span squared(neighbours.squared.data() + i * k, static_cast<std::size_t>(k));
      const std::vector<double> p = row_affinities(squared, perplexity);
      for (Index j = 0; j < k; ++j) row[j] = {neighbours.id[i * k + j], static_cast<float>(p[j])};
      std::sort(row.begin(), row.end());
      for (Index j = 0; j < k; ++j)
        std::tie(conditional.col[i * k + j], conditional.val[i * k + j]) = row[j];
    }
  });
  return symmetric(conditional, 0.5 / static_cast<double>(n));
}

}  // namespace scrl
