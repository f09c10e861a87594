// kernels/reduce.h: sums over a matrix, and its multiples. Sums over rows go along the tree of
// base/block_tree.h.
#pragma once
#include "tensor/matrix.h"

namespace scrl::kernels {

// out (1,h) = sum over rows, chunk by chunk in double precision.
void column_sums(const Matrix& x, Matrix& out, bool accumulate = false);
// sum_ij x_ij y_ij in double precision.
double dot(const Matrix& x, const Matrix& y);
bool all_finite(const Matrix& x);
// y = a x (accumulate: y += a x)
void scale(float a, const Matrix& x, Matrix& y, bool accumulate = false);

}  // namespace scrl::kernels
