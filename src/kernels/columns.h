// kernels/columns.h: column by column: moments, affine maps, batch normalisation.
#pragma once
#include <span>

#include "tensor/matrix.h"

namespace scrl::kernels {

// sums_j = sum_i y_ij, dots_j = sum_i x_ij y_ij, in double precision.
void column_moments(const Matrix& x, const Matrix& y, std::span<double> sums,
                    std::span<double> dots);
struct ColumnMap {
  const Matrix *shift = nullptr, *scale = nullptr, *offset = nullptr;  // (1,h); null: 0, 1, 0
};
// out_ij = (x_ij - shift_j) scale_j + offset_j
void map_columns(const Matrix& x, const ColumnMap& map, Matrix& out, bool accumulate = false);
// out_ij = row_j
void repeat_row(const Matrix& row, Matrix& out, bool accumulate = false);
// Of out = (x - mean) scale + offset with scale = 1/sqrt(variance + epsilon): xhat = out - offset,
//   dx = scale (dout - mean_dout - xhat mean_product),
// mean_dout and mean_product the column means of dout and of dout xhat.
struct BatchNormGradient {
  const Matrix &offset, &scale, &mean_dout, &mean_product;  // (1,h)
};
void batch_norm_backward(const Matrix& out, const Matrix& dout, const BatchNormGradient& at,
                         Matrix& dx, bool accumulate = false);

}  // namespace scrl::kernels
