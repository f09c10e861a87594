#include "trust/query.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/parallel.h"
#include "base/rng.h"
#include "kernels/products.h"

namespace scrl {
namespace {

constexpr Index kColumnsPerChunk = 64;
constexpr std::uint32_t kDrawn = 2;  // stream of drawn nodes

// Up to `most` of the nodes, ascending.
std::vector<NodeId> sample(std::vector<NodeId> nodes, Index most, std::uint64_t seed) {
  if (static_cast<Index>(nodes.size()) <= most) return nodes;
  Rng(seed, Purpose::kClusters, kDrawn).shuffle(std::span<NodeId>(nodes));
  nodes.resize(static_cast<std::size_t>(most));
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

Matrix rows_of(const Matrix& Z, std::span<const NodeId> nodes) {
  Matrix out(static_cast<Index>(nodes.size()), Z.cols());
  for (std::size_t i = 0; i < nodes.size(); ++i)
    std::copy_n(Z.row(nodes[i]), Z.cols(), out.row(static_cast<Index>(i)));
  return out;
}

// sim[a, b] of two sets of points.
Matrix similarities(const Matrix& A, const Matrix& B) {
  Matrix out(A.rows(), B.rows());
  kernels::gemm(kernels::Op::kN, A, kernels::Op::kT, B, out);
  for (Index i = 0; i < out.rows(); ++i)
    for (Index j = 0; j < out.cols(); ++j) out(i, j) = std::max(0.0f, out(i, j));
  return out;
}

}  // namespace

std::vector<float> doubt_weights(const Matrix& log_probs) {
  const Index n = log_probs.rows();
  std::vector<float> margin;
  for (Index i = 0; i < n; ++i) {
    float first = 0, second = 0;
    for (const float lp : log_probs.row_span(i)) {
      const float p = std::exp(lp);
      second = std::max(second, std::min(first, p));
      first = std::max(first, p);
    }
    margin.push_back(first - second);
  }
  std::vector<std::size_t> order(margin.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return margin[a] > margin[b]; });
  std::vector<float> out(margin.size());
  for (std::size_t rank = 0; rank < order.size(); ++rank)
    out[order[rank]] = static_cast<float>(rank + 1) / static_cast<float>(n);
  return out;
}

std::vector<Queried> query_nodes(const Matrix& space, const std::vector<bool>& candidate,
                                 std::span<const NodeId> labelled, std::span<const float> weights,
                                 Index count, std::uint64_t seed) {
  const Index n = space.rows();
  check(static_cast<Index>(candidate.size()) == n && static_cast<Index>(weights.size()) == n,
        "query_nodes: ", n, " points, ", candidate.size(), " candidates and ", weights.size(),
        " weights");
  std::vector<NodeId> all(static_cast<std::size_t>(n)), open;
  std::iota(all.begin(), all.end(), NodeId{0});
  std::copy_if(all.begin(), all.end(), std::back_inserter(open),
               [&](NodeId i) { return candidate[static_cast<std::size_t>(i)]; });
  const std::vector<NodeId> served = sample(std::move(all), kQuerySample, seed);
  const std::vector<NodeId> choices =
      sample(std::move(open), std::max(kQuerySample, count), seed + 1);
  const auto U = static_cast<Index>(served.size()), C = static_cast<Index>(choices.size());

  // Rows: choices, so that the gain of one reads a row.
  const Matrix points = rows_of(space, served);
  const Matrix sim = similarities(rows_of(space, choices), points);
  std::vector<float> best(static_cast<std::size_t>(U), 0.0f);
  if (!labelled.empty()) {
    const Matrix known = similarities(rows_of(space, labelled), points);
    for (Index s = 0; s < known.rows(); ++s)
      for (Index u = 0; u < U; ++u)
        best[static_cast<std::size_t>(u)] =
            std::max(best[static_cast<std::size_t>(u)], known(s, u));
  }
  std::vector<double> w;
  for (const NodeId u : served) w.push_back(weights[static_cast<std::size_t>(u)]);
  const double most = std::max(1e-12, std::accumulate(w.begin(), w.end(), 0.0));
  const double scale = static_cast<double>(n) / static_cast<double>(std::max<Index>(1, U));

  std::vector<Queried> out;
  std::vector<bool> taken(static_cast<std::size_t>(C));
  std::vector<double> gain(static_cast<std::size_t>(C));
  for (Index step = 0; step < std::min(count, C); ++step) {
    parallel_for(C, kColumnsPerChunk, [&](Index begin, Index end) {
      for (Index j = begin; j < end; ++j) {
        double sum = 0;
        for (Index u = 0; u < U; ++u) {
          const auto at = static_cast<std::size_t>(u);
          sum += w[at] * std::max(0.0f, sim(j, u) - best[at]);
        }
        gain[static_cast<std::size_t>(j)] = sum;
      }
    });
    Index chosen = -1;
    for (Index j = 0; j < C; ++j)
      if (!taken[static_cast<std::size_t>(j)] &&
          (chosen < 0 ||
           gain[static_cast<std::size_t>(j)] > gain[static_cast<std::size_t>(chosen)]))
        chosen = j;
    taken[static_cast<std::size_t>(chosen)] = true;
    Index won = 0;
    double doubt = 0;
    for (Index u = 0; u < U; ++u) {
      const auto at = static_cast<std::size_t>(u);
      if (sim(chosen, u) <= best[at]) continue;
      best[at] = sim(chosen, u);
      doubt += w[at];
      ++won;
    }
    out.push_back({.node = choices[static_cast<std::size_t>(chosen)],
                   .gain = 100 * gain[static_cast<std::size_t>(chosen)] / most,
                   .represents = std::llround(scale * static_cast<double>(won)),
                   .doubt = won == 0 ? 0 : doubt / static_cast<double>(won)});
  }
  return out;
}

}  // namespace scrl
