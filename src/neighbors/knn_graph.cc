#include "neighbors/knn_graph.h"

#include <algorithm>

#include "base/error.h"
#include "graph/adjacency.h"

namespace scrl {

Csr knn_graph(const Neighbours& neighbours, KnnMode mode) {
  const auto row = [&](Index i) {
    return std::span(neighbours.id.data() + i * neighbours.k, neighbours.k);
  };
  const auto chooses = [&](Index i, NodeId j) {
    const auto ids = row(i);
    return std::find(ids.begin(), ids.end(), j) != ids.end();
  };
  Edges edges;
  for (Index i = 0; i < neighbours.nodes; ++i) {
    for (const NodeId j : row(i)) {
      if (j < 0) break;
      if (mode == KnnMode::kRule && j < i) continue;
      if (mode == KnnMode::kMutual && !chooses(j, static_cast<NodeId>(i))) continue;
      edges.source.push_back(static_cast<NodeId>(i));
      edges.target.push_back(j);
    }
  }
  return adjacency(neighbours.nodes, edges, Dup::kBinary);
}

Csr knn_graph_from_file(Index nodes, const Edges& edges) {
  return adjacency(nodes, edges, Dup::kBinary);
}

}  // namespace scrl
