// points/tsne_descent.h: the descent of points/tsne.h. Internal to points/tsne*.
#pragma once
#include "points/tsne.h"

namespace scrl {

// Moves `places` (n,2) by o.iterations steps; P (n,n) is symmetric and sums to 1.
Matrix descend(const Csr& P, const Matrix& places, const TsneOptions& o, const TsneReport& report);

// KL(P || Q) of places with the sum Z of their q.
double map_divergence(const Csr& P, std::span<const float> x, std::span<const float> y, double Z);

}  // namespace scrl
