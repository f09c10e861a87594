// graph/stats.h: what a graph looks like, in the numbers that decide which methods can work on it.
#pragma once
#include <cstdint>
#include <span>

#include "base/types.h"
#include "data/dataset.h"
#include "tensor/csr.h"

namespace scrl {

// Of an undirected graph. Degrees count neighbours, that is without self-loops and weights.
struct GraphStats {
  Index nodes = 0;
  Index edges = 0;     // pairs {i, j}, i != j
  Index loops = 0;     // nodes with a self-loop
  Index isolated = 0;  // nodes without neighbours, whether or not they have a loop
  Index max_degree = 0;
  double mean_degree = 0;
  double median_degree = 0;
  Index distinct_degrees = 0;  // 0 included when there are isolated nodes
  Index components = 0;        // isolated nodes are one each
  Index labelled_edges = 0;    // edges whose ends both have a label
  double homophily = 0;        // share of labelled edges whose ends agree; 0 when there are none
};
// REQUIRES: A is square and symmetric; labels has one entry per node, or none at all.
GraphStats graph_stats(const Csr& A, std::span<const std::int32_t> labels);

// Of the rows of an edge file, where a row has a direction.
struct EdgeStats {
  Index rows = 0;
  Index distinct = 0;         // different (source, target) pairs, loops included
  Index duplicates = 0;       // rows that repeat an earlier one
  Index loops = 0;            // nodes with a self-loop
  Index one_directional = 0;  // distinct pairs whose reverse is missing
};
// REQUIRES: every id in [0, nodes).
EdgeStats edge_stats(Index nodes, const Edges& edges);

}  // namespace scrl
