// neighbors/knn_dense.h: the k nearest rows of every row of a dense matrix, by Euclidean distance.
//
// Candidates come from dense products in float, x_i . x_j - |x_j|^2 / 2, of rows taken relative to
// their mean; a few more than k are kept. Their distances are then computed in double and decide,
// ties going to the smaller id. So a neighbour is missed only where distances of many rows agree to
// the last digits of float. Rows of any finite size will do: they are brought to the range of float
// first, and where their sizes differ by more than its digits all pairs are compared in double.
#pragma once
#include <vector>

#include "base/types.h"
#include "tensor/matrix.h"

namespace scrl {

struct DenseNeighbours {
  Index nodes = 0;
  int k = 0;
  std::vector<NodeId> id;       // nodes x k, nearest first
  std::vector<double> squared;  // nodes x k, squared distances
};

// A row is never its own neighbour; a row equal to it is, at distance 0. Time: O(rows^2 * columns),
// as one dense product; much longer where all pairs are compared in double. Memory beside the
// result: O(size of X). The same bits for any number of threads. REQUIRES: 1 <= k < X.rows(), every
// number of X is finite.
DenseNeighbours nearest_dense(const Matrix& X, int k);

// X relative to the mean of its rows.
Matrix centred(const Matrix& X);

}  // namespace scrl
