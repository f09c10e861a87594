// embedding2d/tsne_descent.h: the descent of embedding2d/tsne.h. Internal to embedding2d/tsne*.
#pragma once
#include "embedding2d/tsne.h"

namespace scrl {

// Moves `coordinates` (n,2) by o.iterations steps; P (n,n) is symmetric and sums to 1.
Matrix descend(const Csr& P, const Matrix& coordinates, const TsneOptions& o,
               const TsneReport& report);

// KL(P || Q) of coordinates with the sum Z of their q.
double tsne_divergence(const Csr& P, std::span<const float> x, std::span<const float> y, double Z);

}  // namespace scrl
