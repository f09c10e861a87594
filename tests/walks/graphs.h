// tests/walks/graphs.h: small graphs, and what the tests of engines share.
#pragma once
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "graph/adjacency.h"
#include "tensor/matrix.h"

namespace scrl {

inline Csr graph_of(Index nodes, const std::vector<std::pair<NodeId, NodeId>>& pairs) {
  Edges edges;
  for (const auto& [a, b] : pairs) {
    edges.source.push_back(a);
    edges.target.push_back(b);
  }
  return adjacency(nodes, edges, Dup::kSum);
}

// Two halves; within a half a pair is joined with probability `dense`, across with `thin`.
inline Csr two_communities(Index nodes, double dense, double thin, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::pair<NodeId, NodeId>> pairs;
  for (NodeId i = 0; i < nodes; ++i) {
    for (NodeId j = 0; j < i; ++j) {
      const bool same = (i < nodes / 2) == (j < nodes / 2);
      if (rng.uniform() < (same ? dense : thin)) pairs.emplace_back(i, j);
    }
  }
  return graph_of(nodes, pairs);
}

inline bool same_bytes(const Matrix& a, const Matrix& b) {
  return a.same_shape(b) &&
         (a.empty() ||
          std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.size()) * sizeof(float)) == 0);
}

// Mean cosine of pairs within a half less that of pairs across.
inline double separation(const Matrix& in) {
  double same = 0.0, across = 0.0;
  Index same_count = 0, across_count = 0;
  const auto cosine = [&](Index i, Index j) {
    double xy = 0.0, xx = 0.0, yy = 0.0;
    for (Index c = 0; c < in.cols(); ++c) {
      xy += double{in(i, c)} * in(j, c);
      xx += double{in(i, c)} * in(i, c);
      yy += double{in(j, c)} * in(j, c);
    }
    return xy / std::sqrt(xx * yy);
  };
  for (Index i = 0; i < in.rows(); ++i) {
    for (Index j = 0; j < i; ++j) {
      const bool half = (i < in.rows() / 2) == (j < in.rows() / 2);
      (half ? same : across) += cosine(i, j);
      ++(half ? same_count : across_count);
    }
  }
  return same / static_cast<double>(same_count) - across / static_cast<double>(across_count);
}

}  // namespace scrl
