// neighbors/knn_graph.h: undirected feature graphs from neighbour lists or from published files.
#pragma once
#include "base/types.h"
#include "data/dataset.h"
#include "neighbors/knn.h"
#include "tensor/csr.h"

namespace scrl {

enum class KnnMode {
  kRule,    // {i, j}, i < j, iff j is among the k nearest of i: how the published files were made
  kUnion,   // iff one of the two is among the k nearest of the other
  kMutual,  // iff each is among the k nearest of the other
};

// Symmetric, binary, without loops.
Csr knn_graph(const Neighbours& neighbours, KnnMode mode);

// Symmetric and binary from the rows of a file: max(A, A^T) with every weight 1.
// REQUIRES: every id in [0, nodes).
Csr knn_graph_from_file(Index nodes, const Edges& edges);

}  // namespace scrl
