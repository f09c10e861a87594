// graph/degree_features.h: neighbours' features told apart by the degree of who looks at them.
#pragma once
#include <cstdint>
#include <vector>

#include "tensor/csr.h"

namespace scrl {

// Nodes by their number of neighbours, self-loops not counted.
struct DegreeGroups {
  std::vector<std::int32_t>
      of_node;  // number of the node's degree among those that occur; -1: degree 0
  Index groups = 0;
};
DegreeGroups degree_groups(const Csr& A);

// D^-1 A without self-loops, every edge counting once; a node without neighbours sees itself.
Csr neighbour_mean(const Csr& A);

// neighbour_mean(A) X, where the columns of each degree are columns of their own: column c of the
// result stands for a pair (degree, feature) that occurs, in order of degree, then of first
// appearance. A matrix with one row per column of the result therefore holds one weight matrix per
// degree, without the rows that no node would ever use. Rows of nodes without neighbours are empty.
Csr degree_features(const Csr& A, const DegreeGroups& groups, const Csr& X);

}  // namespace scrl
