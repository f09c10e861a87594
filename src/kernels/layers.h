// kernels/layers.h: a hidden layer: bias, ReLU, dropout, and its product with the next weights.
#pragma once
#include <cstdint>
#include <span>

#include "base/rng.h"
#include "tensor/matrix.h"

namespace scrl::kernels {

// Dropout with rate p keeps element (i,j) iff bits(i,j) >= round(p * 2^16) and scales it by
// 1/(1-p); bits are 16-bit numbers drawn from rng as written in dropout.h. No rng: no dropout
// (evaluation).

// out = drop(relu(x + bias)).  x, out (n,h); bias (1,h) or null.
void bias_relu_dropout(const Matrix& x, const Matrix* bias, float p, const Rng* rng, Matrix& out);
// dx = dout * [out > 0] / (1-p): out is positive exactly where x + bias was and dropout kept it, so
// no mask is stored. scale = 1/(1-p) in training, 1 otherwise.
void bias_relu_dropout_backward(const Matrix& out, const Matrix& dout, float scale, Matrix& dx,
                                bool accumulate = false);
// out = drop(relu(x + bias)) W. The layer between is not written to memory; `bits`, if given, gets
// hidden_words(h) words per row that tell which of its elements are not zero.
Index hidden_words(Index columns);
void hidden_gemm(const Matrix& x, const Matrix& bias, float p, const Rng* rng, const Matrix& W,
                 std::uint64_t* bits, Matrix& out);
struct HiddenGradients {
  Matrix &dx, &dbias, &dW;
  bool add_dbias, add_dW;  // += instead of =
};
// Its gradients, from the bits it left and the gradient of out; factor = 1/(1-p) in training.
void hidden_gemm_backward(const Matrix& x, const Matrix& bias, std::uint64_t* bits, float factor,
                          const Matrix& W, const Matrix& dout, HiddenGradients gradients);
// out = drop(x); its own adjoint, so the backward calls it with the same rng.
void dropout(const Matrix& x, float p, const Rng& rng, Matrix& out, bool accumulate = false);
// The same on a flat array (values of a sparse matrix).
void dropout(std::span<const float> x, float p, const Rng& rng, std::span<float> out);
// out = x + bias for every row.
void add_bias(const Matrix& x, const Matrix& bias, Matrix& out);
void relu(const Matrix& x, Matrix& out);
void relu_backward(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate = false);

}  // namespace scrl::kernels
