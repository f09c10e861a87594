// kernels/panel_product.h: a product in double precision.
#pragma once
#include "base/types.h"

namespace scrl::kernels {

inline constexpr Index kDoublePanel = 16;
// C = A B (accumulate: C += A B) in double. A (m,k) has element (i,l) at a[i * row_step + l *
// step], so it may be transposed; B (k) and C (m) have rows of kDoublePanel numbers, one after
// another. Runs in the calling thread; each element of C is one sum in the order of l.
void panel_product(const double* a, Index row_step, Index step, Index m, Index k, const double* b,
                   double* c, bool accumulate = false);

}  // namespace scrl::kernels
