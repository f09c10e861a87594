// train/new_nodes.h: the constant operands of a model of new nodes, which join a graph that a model
// was trained on (graph/new_nodes.h).
//
// A new node sees nodes of the graph only: those that its edges name, and in the feature graph its
// k nearest. New nodes see each other only along edges in NewRows::edges.own.
#pragma once
#include <memory>
#include <string>

#include "graph/new_nodes.h"
#include "neighbors/knn_index.h"
#include "train/prepare.h"

namespace scrl {

struct NewRows {
  Csr features;
  NewEdges edges;  // as given
};

// Finds the nodes of a data set that are nearest to new ones, by the comparison that the feature
// graph of these options is made with.
class NeighbourFinder {
 public:
  NeighbourFinder(const Dataset& data, const GraphOptions& o);
  // New x nodes of the data, each entry 1.
  Csr nearest(const Csr& features, int k) const;

  // Equal keys: equal answers.
  static std::string key(const Dataset& data, const GraphOptions& o);

 private:
  GraphOptions options_;
  SearchSpace space_;
  std::unique_ptr<KnnIndex> index_;
};

struct NewOperands : Operands {
  NewEdges new_edges;  // what a model that wants edges gets
};
// `known`: the operands of the graph that they join. `nearest`: what NeighbourFinder found, where
// there is a feature graph.
NewOperands prepare_new(const NewRows& rows, const Operands& known, const GraphOptions& o,
                        unsigned views, const Csr* nearest);

}  // namespace scrl
