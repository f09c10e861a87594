#include "trust/conformal.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "base/rng.h"

namespace scrl {
namespace {

constexpr Index kRowsPerChunk = 256;
constexpr std::uint32_t kTies = 5;  // the stream after those of train/split.cc
constexpr double kRounding = 1e-9;  // (n+1) coverage that is a whole number in decimal stays one

// out_i = mean of the rows of S at the neighbours of i; without any, row i itself.
void mean_of_neighbours(const Csr& A, const Matrix& S, Matrix& out) {
  parallel_for(S.rows(), kRowsPerChunk, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      Index count = 0;
      std::vector<double> sum(static_cast<std::size_t>(S.cols()), 0.0);
      for (const NodeId j : A.row_cols(i)) {
        if (j == i) continue;
        ++count;
        for (Index c = 0; c < S.cols(); ++c) sum[static_cast<std::size_t>(c)] += S(j, c);
      }
      for (Index c = 0; c < S.cols(); ++c)
        out(i, c) =
            count == 0
                ? S(i, c)
                : static_cast<float>(sum[static_cast<std::size_t>(c)] / static_cast<double>(count));
    }
  });
}

}  // namespace

Index labels_needed(double coverage) {
  check(coverage > 0 && coverage < 1, "labels_needed: coverage ", coverage, " is not in (0, 1)");
  return static_cast<Index>(std::ceil(1 / (1 - coverage) - kRounding)) - 1;
}

std::vector<float> uniform_of_ids(std::span<const std::string> ids, std::uint64_t seed) {
  const Rng rng(seed, Purpose::kSplit, kTies);
  std::vector<float> out;
  for (const std::string& id : ids) out.push_back(rng.uniform_at(checksum(id.data(), id.size())));
  return out;
}

Matrix aps_scores(const Matrix& log_probs, std::span<const float> u) {
  check(static_cast<Index>(u.size()) == log_probs.rows(), "aps_scores: ", u.size(), " numbers for ",
        log_probs.rows(), " nodes");
  const Index M = log_probs.cols();
  Matrix out(log_probs.rows(), M);
  parallel_for(log_probs.rows(), kRowsPerChunk, [&](Index begin, Index end) {
    std::vector<Index> order(static_cast<std::size_t>(M));
    for (Index i = begin; i < end; ++i) {
      std::iota(order.begin(), order.end(), Index{0});
      std::stable_sort(order.begin(), order.end(),
                       [&](Index a, Index b) { return log_probs(i, a) > log_probs(i, b); });
      double above = 0;
      for (const Index c : order) {
        const double p = std::exp(static_cast<double>(log_probs(i, c)));
        out(i, c) = static_cast<float>(above + u[static_cast<std::size_t>(i)] * p);
        above += p;
      }
    }
  });
  return out;
}

Matrix diffused_scores(const Matrix& scores, const Csr& features, const Csr& topology,
                       const Diffusion& w) {
  const Index n = scores.rows(), M = scores.cols();
  Matrix out(n, M), of_features(n, M), of_topology(n, M);
  if (w.features != 0) mean_of_neighbours(features, scores, of_features);
  if (w.topology != 0) mean_of_neighbours(topology, scores, of_topology);
  const double own = 1 - w.features - w.topology;
  parallel_for(n, kRowsPerChunk, [&](Index begin, Index end) {
    for (Index i = begin; i < end; ++i)
      for (Index c = 0; c < M; ++c)
        out(i, c) = static_cast<float>(own * scores(i, c) + w.features * of_features(i, c) +
                                       w.topology * of_topology(i, c));
  });
  return out;
}

std::optional<float> conformal_quantile(std::vector<float> scores, double coverage) {
  const auto n = static_cast<double>(scores.size());
  const auto rank = static_cast<std::size_t>(std::ceil((n + 1) * coverage - kRounding));
  if (rank > scores.size()) return std::nullopt;
  const auto at = scores.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(rank, 1) - 1);
  std::nth_element(scores.begin(), at, scores.end());
  return *at;
}

std::vector<float> scores_of_labels(const Matrix& scores, std::span<const NodeId> nodes,
                                    std::span<const std::int32_t> labels) {
  std::vector<float> out;
  for (const NodeId i : nodes) out.push_back(scores(i, labels[static_cast<std::size_t>(i)]));
  return out;
}

std::vector<bool> prediction_sets(const Matrix& scores, float q) {
  const Index M = scores.cols();
  std::vector<bool> out(static_cast<std::size_t>(scores.rows() * M));
  for (Index i = 0; i < scores.rows(); ++i)
    for (Index c = 0; c < M; ++c) out[static_cast<std::size_t>(i * M + c)] = scores(i, c) <= q;
  return out;
}

SetScores score_sets(const std::vector<bool>& member, Index classes, std::span<const NodeId> nodes,
                     std::span<const std::int32_t> labels) {
  SetScores out;
  for (const NodeId i : nodes) {
    const auto row = member.begin() + static_cast<std::ptrdiff_t>(i * classes);
    const auto size = std::count(row, row + classes, true);
    out.coverage += row[labels[static_cast<std::size_t>(i)]];
    out.mean_size += static_cast<double>(size);
    out.empty += size == 0;
  }
  const double n = std::max(1.0, static_cast<double>(nodes.size()));
  return {out.coverage / n, out.mean_size / n, out.empty / n};
}

}  // namespace scrl
