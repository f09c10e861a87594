// embedding2d/tsne_neighbors.h: neighbours of sparse rows by cosine, as distances. Internal to
// embedding2d/tsne*.
#pragma once
#include "neighbors/knn_dense.h"
#include "tensor/csr.h"

namespace scrl {

// k neighbours of every row at squared distances 2 - 2 cosine, at most kMaxNeighbours. The search
// finds only rows that share a feature: where these are fewer than k, rows after it in number stand
// in at the distance of those that share none, 2; for an empty row, other empty rows first, at 0.
// So no point is without ties and driven out of the picture. REQUIRES: 1 <= k < X.rows.
DenseNeighbours nearest_by_cosine(const Csr& X, int k);

}  // namespace scrl
