// kernels/adam.h: the steps of the Adam optimiser.
#pragma once
#include <span>

#include "tensor/csr.h"
#include "tensor/matrix.h"

namespace scrl::kernels {

struct AdamStep {
  double lr, beta1, beta2, epsilon, weight_decay;  // double: 1 - 0.999f is off by 5e-5
  double correction1, correction2;                 // 1 - beta1^t, 1 - beta2^t
};
// Adam with coupled L2, as PyTorch:
//   g += wd*w;  m, v moments of g;  w -= lr * mhat / (sqrt(vhat) + epsilon)
void adam(const AdamStep& step, const Matrix& grad, Matrix& w, Matrix& m, Matrix& v);
// The same with grad = A X, which is used where it comes up and never stored.
void spmm_adam(const Csr& A, std::span<const float> values, const Matrix& X, const AdamStep& step,
               Matrix& w, Matrix& m, Matrix& v, Precision precision = Precision::kFloat32);
void check_step(const AdamStep& step);

}  // namespace scrl::kernels
