#include "graph/stats.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/error.h"

namespace scrl {
namespace {

// Union-find with path halving, smaller root wins.
class Components {
 public:
  explicit Components(Index nodes) : parent_(static_cast<std::size_t>(nodes)), count_(nodes) {
    std::iota(parent_.begin(), parent_.end(), NodeId{0});
  }
  void join(NodeId a, NodeId b) {
    a = root(a), b = root(b);
    if (a == b) return;
    parent_[std::max(a, b)] = std::min(a, b);
    --count_;
  }
  Index count() const { return count_; }

 private:
  NodeId root(NodeId v) {
    while (parent_[v] != v) v = parent_[v] = parent_[parent_[v]];
    return v;
  }
  std::vector<NodeId> parent_;
  Index count_;
};

double median(std::vector<Index> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  if (values.size() % 2 == 1) return static_cast<double>(*middle);
  return 0.5 * static_cast<double>(*middle + *std::max_element(values.begin(), middle));
}

}  // namespace

GraphStats graph_stats(const Csr& A, std::span<const std::int32_t> labels) {
  check(A.rows == A.cols, "graph_stats: expected a square matrix, got ", A.rows, "x", A.cols);
  check(labels.empty() || static_cast<Index>(labels.size()) == A.rows, "graph_stats: expected ",
        A.rows, " labels, got ", labels.size());
  GraphStats s{.nodes = A.rows};
  Components components(A.rows);
  std::vector<Index> degree(static_cast<std::size_t>(A.rows));
  Index agreeing = 0;
  for (Index i = 0; i < A.rows; ++i) {
    for (const NodeId j : A.row_cols(i)) {
      if (j == i) {
        ++s.loops;
        continue;
      }
      ++degree[i];
      if (j < i) continue;
      ++s.edges;
      components.join(static_cast<NodeId>(i), j);
      if (labels.empty() || labels[i] == kUnlabelled || labels[j] == kUnlabelled) continue;
      ++s.labelled_edges;
      agreeing += labels[i] == labels[j];
    }
  }
  s.components = components.count();
  if (s.labelled_edges > 0) {
    s.homophily = static_cast<double>(agreeing) / static_cast<double>(s.labelled_edges);
  }
  if (A.rows == 0) return s;
  s.isolated = std::count(degree.begin(), degree.end(), Index{0});
  s.max_degree = *std::max_element(degree.begin(), degree.end());
  s.mean_degree = 2.0 * static_cast<double>(s.edges) / static_cast<double>(A.rows);
  s.median_degree = median(degree);
  std::vector<bool> seen(static_cast<std::size_t>(s.max_degree) + 1);
  for (const Index d : degree) seen[d] = true;
  s.distinct_degrees = std::count(seen.begin(), seen.end(), true);
  return s;
}

EdgeStats edge_stats(Index nodes, const Edges& edges) {
  const Csr directed =
      csr_from_triplets(nodes, nodes, edges.source, edges.target, {}, Dup::kBinary);
  const Csr reverse = transpose(directed);
  EdgeStats s{.rows = edges.size(), .distinct = directed.nnz()};
  s.duplicates = s.rows - s.distinct;
  for (Index i = 0; i < nodes; ++i) {
    const auto back = reverse.row_cols(i);
    for (const NodeId j : directed.row_cols(i)) {
      if (j == i) {
        ++s.loops;
      } else if (!std::binary_search(back.begin(), back.end(), j)) {
        ++s.one_directional;
      }
    }
  }
  return s;
}

}  // namespace scrl
