// neighbors/knn_approximate.h: nearest rows by cosine, most of them, in time that grows with the
// number of rows and not with its square.
//
// 1. Several times, by cuts that fall differently, rows are put into leaves of similar rows
//    (knn_forest.h), and all rows of a leaf are compared exactly (knn_leaf.h).
// 2. Each row is compared with the neighbours of its neighbours until hardly a list changes
//    (knn_descent.h).
// Similarities are those of the exact search, bit by bit; only some neighbours are missed, and
// others, less similar, stand in their place. docs/determinism.md says how many.
#pragma once
#include "neighbors/knn.h"

namespace scrl {

struct ApproximateOptions {
  Index leaf = 0;  // rows in a leaf, at most; no more rows than this: the result is exact; 0: as
                   // many as can be compared in a given time, more the sparser the rows
  int trees = 4;   // how often rows are put into leaves
  int rounds = 6;  // of refinement, at most
};

// As nearest(X, k): no row is its own neighbour, similarities are above 0, ties go to the smaller
// id. Time: O(nnz * (trees * (log(rows) + leaf) + rounds * k^2)). Memory beside the result:
// O(nnz + rows * k). The same bits for any number of threads and any processor.
// REQUIRES: 1 <= k <= kMaxNeighbours.
Neighbours nearest_approximate(const CsrView& X, int k, const ApproximateOptions& options = {});

}  // namespace scrl
