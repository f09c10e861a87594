// graph/new_nodes.h: nodes that join a graph.
//
// They see its nodes; its nodes do not see them, so degrees and everything normalised by degrees
// stay as they are. Each function gives the rows that the new nodes have in an operator of the same
// name over the whole graph.
#pragma once
#include <span>
#include <vector>

#include "graph/adjacency.h"
#include "tensor/csr.h"

namespace scrl {

struct NewEdges {
  Csr known;  // new x nodes of the graph
  Csr own;    // new x new: loops, and edges among new nodes where they see each other
};

// adjacency(): weights, or 1; edges among new nodes count in both directions.
NewEdges adjacency(NewEdges edges, Dup dup);

// propagation(): `degree` are the row sums of the graph with loops, which norm sym needs.
NewEdges propagation(NewEdges edges, Norm norm, double self, std::span<const double> degree);

// scaled_laplacian() of graph A, whose largest eigenvalue is given.
NewEdges scaled_laplacian(const NewEdges& edges, const Csr& A, double largest_eigenvalue);

// D^-1/2 (A + I) D^-1/2 over the entries of a graph A, whose values do not count.
NewEdges sym_normalized_pattern(const NewEdges& edges, const Csr& A);

// sym_normalized_without_loops() of graph A.
NewEdges sym_normalized_without_loops(const NewEdges& edges, const Csr& A);

// two_hop(): N2 = walk back + rest, as there. `scale` is T^-1/2 of the nodes of A.
struct NewTwoHop {
  NewEdges walk, back, rest;
};
NewTwoHop two_hop(const NewEdges& edges, const Csr& A, std::span<const double> scale);

}  // namespace scrl
