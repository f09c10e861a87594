// graph/adjacency.h: from the rows of an edge file to the operators a graph convolution multiplies
// by.
//
// Every graph is undirected here: A = max(A, A^T) element by element, with self-loops kept as
// given.
#pragma once
#include "base/types.h"
#include "data/dataset.h"
#include "tensor/csr.h"

namespace scrl {

// Repeated rows are merged first (their weights summed, or 1), then the two directions of an edge:
// the larger weight counts, and a direction that is absent does not.
// Throws Error(kData) when weights add up to something that is not finite.
Csr adjacency(Index nodes, const Edges& edges, Dup dup);
// Of the edges of a data set, whoever they belong to.
Csr adjacency(const Dataset& data, Dup dup);

// max(A, A^T) element by element; an entry that only one of them has is kept.
Csr undirected(const Csr& A);
// A + I.
Csr plus_identity(const Csr& A);

// D = row sums of A + I, which makes a self-loop of weight w one of weight w + 1.
enum class Norm {
  kRw,   // D^-1 (A + I), a random walk
  kSym,  // D^-1/2 (A + I) D^-1/2
};

// A row whose sum is not positive (possible with negative weights only) becomes zero.
// REQUIRES: A is square and symmetric.
// `degrees`, if given, gets D.
Csr normalized(const Csr& A, Norm norm, std::vector<double>* degrees = nullptr);

// An operator and its transpose: the forward pass multiplies by one, the backward by the other.
struct Propagation {
  Csr forward, backward;
  std::vector<double> degree;  // of norm sym: D
};
// (1 - self) normalized(A) + self I: a walk that stays where it is with probability `self`.
Propagation propagation(const Csr& A, Norm norm, double self = 0);

}  // namespace scrl
