// kernels/attraction.h: the attractive forces of t-SNE.
#pragma once
#include <span>

#include "tensor/csr.h"

namespace scrl::kernels {

// f_i = sum_j P_ij (y_i - y_j) / (1 + |y_i - y_j|^2) of points (x_i, y_i); P (n,n).
void attraction(const Csr& P, std::span<const float> x, std::span<const float> y,
                std::span<float> fx, std::span<float> fy);

}  // namespace scrl::kernels
