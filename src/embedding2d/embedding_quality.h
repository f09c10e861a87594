// embedding2d/embedding_quality.h: how much of the neighbourhoods of points a 2-D embedding of them
// keeps.
//
// With k nearest neighbours in the plane, N_i, and r(i,j) the rank of j among the neighbours of i
// by original distance, counted from 1 (ties: the smaller number first):
//   trustworthiness = 1 - 2 / (n k (2n - 3k - 1)) sum_i sum_{j in N_i} max(0, r(i,j) - k)
//   recall = share of pairs (i, j in N_i) with r(i,j) <= k
// Venna and Kaski, "Neighborhood preservation in nonlinear projection methods", ICANN 2001. Of a
// sample of rows, sums go over that sample and n k becomes its size times k.
#pragma once
#include <span>

#include "base/types.h"
#include "tensor/csr.h"
#include "tensor/matrix.h"

namespace scrl {

struct EmbeddingQuality {
  double trustworthiness = 1, recall = 1;
};

// Time: O(sample * (size of X)). REQUIRES: plane is (n,2) with n rows of X; 1 <= k < n / 2.
EmbeddingQuality embedding_quality(const Matrix& X, const Matrix& plane, int k,
                                   std::span<const NodeId> sample);
// Of distances 2 - 2 cosine, as tsne() of sparse rows takes them.
EmbeddingQuality embedding_quality(const Csr& X, const Matrix& plane, int k,
                                   std::span<const NodeId> sample);

}  // namespace scrl
