// graph/two_hop.h: products with the neighbours exactly two hops away, without listing them.
//
// Nodes two hops away can be nearly all nodes. With A binary, symmetric and without loops, D its
// row sums, and B = A D^-1 A, the two-step walk,
//   N2 = B - B o (A + I)                        (o element by element)
// is positive exactly where two nodes have a common neighbour, are not neighbours and not the same
// node. B has a factor with the entries of A, and what is subtracted has at most those of A + I, so
// memory stays linear in nodes and edges. Time is that of a common neighbour count over all edges.
#pragma once
#include <vector>

#include "tensor/csr.h"

namespace scrl {

// T^-1/2 N2 T^-1/2 = walk walk^T + rest, T = row sums of N2; a node with nobody two hops away has
// rows and columns of zeros.
struct TwoHop {
  Csr walk;                   // T^-1/2 A D^-1/2
  Csr rest;                   // -T^-1/2 [B o (A + I)] T^-1/2
  std::vector<double> scale;  // T^-1/2
};

// The entries of A off its diagonal, all 1. REQUIRES: A is square and symmetric.
Csr without_loops(const Csr& A);
// D^-1/2 A D^-1/2, D = row sums; a row of zeros stays. REQUIRES: as above.
Csr sym_normalized_without_loops(const Csr& A);
// REQUIRES: A is square and symmetric; values and loops are ignored.
TwoHop two_hop(const Csr& A);

}  // namespace scrl
