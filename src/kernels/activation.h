// kernels/activation.h: activations of a few rows by the calling thread, for kernels that make or
// use them on the way (hidden_gemm.cc). Internal to kernels/.
#pragma once
#include "base/rng.h"
#include "tensor/matrix.h"

namespace scrl::kernels {

// drop(relu(x_i + bias)) for rows i in [begin, end), to out + (i - begin) * out_step.
void bias_relu_dropout_part(const Matrix& x, const Matrix* bias, float p, const Rng* rng,
                            float* out, Index out_step, Index begin, Index end);

}  // namespace scrl::kernels
