// embedding2d/tsne_affinities.h: how much points belong together, from distances to their
// neighbours. Internal to embedding2d/tsne*.
//
//   p(j|i) = exp(-b_i d_ij^2) / sum_k exp(-b_i d_ik^2)  over the neighbours of i,
//   b_i such that -sum_j p(j|i) ln p(j|i) = ln(perplexity),
//   P_ij = (p(j|i) + p(i|j)) / 2n,  which sum to 1.
#pragma once
#include <span>
#include <vector>

#include "base/types.h"
#include "neighbors/knn_dense.h"
#include "tensor/csr.h"

namespace scrl {

// p(j|i) of one point. Where no b_i reaches the perplexity (more neighbours at the smallest
// distance than it, or all at the same), the nearest share it equally.
// REQUIRES: squared distances are finite; there is at least one.
std::vector<double> row_affinities(std::span<const double> squared, double perplexity);

// P, symmetric, without entries that are zero in float.
Csr joint_affinities(const DenseNeighbours& neighbours, double perplexity);

}  // namespace scrl
