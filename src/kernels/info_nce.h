// kernels/info_nce.h: the InfoNCE loss of two views, every other node a negative.
#pragma once
#include <span>
#include <vector>

#include "tensor/matrix.h"

namespace scrl::kernels {

// Of two views U, V (n,h) with rows of length 1 and S(a,b) = exp(a . b / tau):
//   1/2n sum_i [ln D(u_i) + ln D(v_i)] - 1/(n tau) sum_i u_i . v_i,
//   D(u_i) = sum_{j != i} S(u_i,u_j) + sum_j S(u_i,v_j), D(v_i) likewise.
// sums gets D, that of U before that of V. Memory besides it does not grow with n.
double info_nce(const Matrix& U, const Matrix& V, float tau, std::vector<double>& sums);
struct InfoNceGradients {  // null: not wanted; += instead of =
  Matrix *dU, *dV;
  bool add_dU, add_dV;
};
void info_nce_backward(const Matrix& U, const Matrix& V, float tau, std::span<const double> sums,
                       float dout, const InfoNceGradients& gradients);

}  // namespace scrl::kernels
