// kernels/nonlinear.h: activation functions, with their adjoints from the value (PReLU: from the
// argument).
#pragma once
#include "tensor/matrix.h"

namespace scrl::kernels {

void elu(const Matrix& x, Matrix& out);  // x, or exp(x) - 1 below 0
void elu_backward(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate = false);
void tanh(const Matrix& x, Matrix& out);
void tanh_backward(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate = false);
void sigmoid(const Matrix& x, Matrix& out);
void sigmoid_backward(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate = false);
void prelu(const Matrix& x, float slope, Matrix& out);  // x, or slope x below 0
void prelu_backward(const Matrix& x, const Matrix& dout, float slope, Matrix& dx,
                    bool accumulate = false);
// sum of dout x where x < 0, in double precision
double prelu_slope_gradient(const Matrix& x, const Matrix& dout);

}  // namespace scrl::kernels
