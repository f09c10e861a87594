// kernels/sinkhorn.h: balanced soft assignment.
#pragma once
#include <span>

#include "tensor/matrix.h"

namespace scrl::kernels {

// Balanced soft assignment of n rows to B columns, log domain (never overflows):
//   repeat: g_b = -ln B - LSE_i(z_ib/eps + f_i);  f_i = -ln n - LSE_b(z_ib/eps + g_b)
//   Q_ib = n exp(z_ib/eps + f_i + g_b), rows sum to 1
// `rows` restricts it to a subset (empty: all); other rows of Q become 0.
void sinkhorn(const Matrix& z, float eps, int iterations, std::span<const NodeId> rows, Matrix& Q);

}  // namespace scrl::kernels
