// kernels/rows.h: row by row: softmax, normalisation, mixing.
#pragma once
#include <span>
#include <vector>

#include "tensor/matrix.h"

namespace scrl::kernels {

// out_ij = s x_ij - log sum_b exp(s x_ib)
void log_softmax(const Matrix& x, float s, Matrix& out);
// With log-probabilities L = log_softmax(s x): dx_ij = s (dL_ij - exp(L_ij) sum_b dL_ib)
void log_softmax_backward(const Matrix& L, const Matrix& dL, float s, Matrix& dx,
                          bool accumulate = false);
// out_ij = exp(x_ij) / sum_b exp(x_ib)
void softmax(const Matrix& x, Matrix& out);
// dx_ij = out_ij (dout_ij - sum_b out_ib dout_ib)
void softmax_backward(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate = false);
// out_i = x_i / max(|x_i|, 1e-12); norms[i] = |x_i|
void l2_normalize_rows(const Matrix& x, Matrix& out, std::vector<float>& norms);
// dx_i = (dout_i - out_i (out_i . dout_i)) / max(norms[i], 1e-12)
void l2_normalize_rows_backward(const Matrix& out, const std::vector<float>& norms,
                                const Matrix& dout, Matrix& dx, bool accumulate = false);
// Class of the largest entry of each row, the smaller index on ties.
void argmax_rows(const Matrix& x, std::vector<std::int32_t>& out);

// out_i = sum_c weights_ic parts[c]_i.  weights (n,c); parts, out (n,h).
void mix(const Matrix& weights, std::span<const Matrix* const> parts, Matrix& out);
// out_i = weights_ic x_i
void scale_rows(const Matrix& weights, Index c, const Matrix& x, Matrix& out,
                bool accumulate = false);
// out_ic = x_i . y_i, other columns of out stay
void row_dots(const Matrix& x, const Matrix& y, Matrix& out, Index c, bool accumulate = false);

}  // namespace scrl::kernels
