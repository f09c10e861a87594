// kernels/hidden_rows.h: products with rows that are mostly zero. Internal to hidden_gemm.cc and
// hidden_rows.cc.
//
// After ReLU and dropout most of a hidden layer is zero (three quarters with dropout 0.5). A tile
// of its rows is kept dense, with one bit per element that tells which are not zero; only those are
// multiplied. 64 columns share a word of bits: their 64 rows of W stay in the first-level cache
// while the tile is gone through.
#pragma once
#include <cstdint>

#include "tensor/matrix.h"

namespace scrl::kernels {

inline constexpr Index kHiddenBlock = 64;  // columns of the layer per word of bits
inline constexpr Index kHiddenTile = 64;   // rows of the layer

struct HiddenTile {
  Index first, rows;  // row r of the tile is row first + r of the layer, and of every x, out, dout
  Index step, words;
  float* value;         // element (r, k) at value[r * step + k]
  std::uint64_t* bits;  // of elements (r, 64 w ...) at bits[r * words + w]
};

// Bodies for the instruction set in use, all by the calling thread; see hidden_rows.cc.

// Fills the bits from the values.
void hidden_mark(HiddenTile& tile);
// Fills the values from the bits: factor * (x + bias) where marked, else zero.
void hidden_recall(HiddenTile& tile, const Matrix& x, const Matrix& bias, float factor);
// out_r = sum_k value(r, k) W_k
void hidden_times(const HiddenTile& tile, const Matrix& W, Matrix& out);
// dW_k += sum_r value(r, k) dout_r; row k of dW is at dW + k * W.stride().
void hidden_weight_gradients(const HiddenTile& tile, const Matrix& W, const Matrix& dout,
                             float* dW);
// Replaces the marked value(r, k) by factor * (dout_r . W_k); the others stay zero.
void hidden_value_gradients(HiddenTile& tile, const Matrix& W, const Matrix& dout, float factor);
// dx_r becomes row r of the tile; sums gets the column sums added.
void hidden_store(const HiddenTile& tile, Matrix& dx, double* sums);

}  // namespace scrl::kernels
