// neighbors/knn.h: the k nearest rows of every row of a sparse matrix, by cosine, exactly.
//
// Dot products are summed in float over ascending features, from rows scaled by powers of two, so
// both directions of a pair see the same bits and counts of common binary features stay whole
// numbers. Order is decided by dot^2 / |x_j|^2 in double, where equal fractions of whole numbers
// are equal: ties are real ties, and go to the smaller id.
#pragma once
#include <span>
#include <vector>

#include "base/types.h"
#include "tensor/csr.h"

namespace scrl {

inline constexpr int kMaxNeighbours = 1000;

struct Neighbours {
  Index nodes = 0;
  int k = 0;
  std::vector<NodeId> id;         // nodes x k, most similar first; -1: no more
  std::vector<float> similarity;  // nodes x k, cosine in (0, 1]; 0 where id is -1
};

// A row is never its own neighbour, and only rows with a similarity above 0 are neighbours; so an
// empty row has none. Time: the smaller of nodes * nnz / vector width and the sum over features of
// (number of rows that have it)^2. Memory beside the result: O(nnz + threads * nodes).
// The same bits for any number of threads and any processor.
// REQUIRES: 1 <= k <= kMaxNeighbours.
Neighbours nearest(const CsrView& X, int k);

// The same for some rows only: row n of the result belongs to row queries[n] of X.
Neighbours nearest_of(const CsrView& X, int k, std::span<const NodeId> queries);

// About how long nearest(X, k) takes, without doing it; kWorkOfAMinute is a minute on two cores
// with 512-bit vectors.
double exact_work(const CsrView& X);
double exact_work(Index rows, Index cols);  // of rows without zeros
inline constexpr double kWorkOfAMinute = 4e10;

}  // namespace scrl
