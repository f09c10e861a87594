// A hidden layer H = drop(relu(x + bias)) and the product with the next weights, in one pass.
//
// H never goes to memory: a thread makes a tile of its rows, multiplies what is not zero
// (hidden_rows.h), and forgets them. One bit per element stays; with it the backward pass makes the
// same tiles again from x, without the random numbers.
#include <algorithm>

#include "base/block_tree.h"
#include "kernels/activation.h"
#include "kernels/entry.h"
#include "kernels/hidden_rows.h"
#include "kernels/layers.h"

namespace scrl::kernels {
namespace {

// Copies of dW in a block of rows (base/block_tree.h), added up in order at its end: enough to keep
// threads busy, not so many that making and adding them costs more than filling them.
constexpr Index kLeastSlices = 8, kMostSlices = 32, kTilesPerSlice = 8;

struct Values;
struct Bits;
struct Slices;
struct BiasSlices;
struct WeightTree;
struct BiasTree;

// Room for rows [first, last) in memory of the calling thread; `bits` of the whole layer, or null.
HiddenTile tile_of(const Matrix& x, Index first, Index last, std::uint64_t* bits) {
  const Index step = (x.cols() + kLane - 1) / kLane * kLane;
  const Index words = hidden_words(x.cols());
  return {.first = first,
          .rows = last - first,
          .step = step,
          .words = words,
          .value = scratch<float, Values>(kHiddenTile * step),
          .bits = bits ? bits + first * words : scratch<std::uint64_t, Bits>(kHiddenTile * words)};
}

void check_shapes(const char* kernel, const Matrix& x, const Matrix& bias, const Matrix& W,
                  const char* product_name, const Matrix& product) {
  check_row_vector(kernel, "x", x, "bias", bias);
  check(W.rows() == x.cols(), kernel, ": x is ", x.rows(), "x", x.cols(), ", so W must have ",
        x.cols(), " rows, got ", W.rows(), "x", W.cols());
  check(W.layout() == Layout::kRows, kernel, ": W must be in rows, it is in panels");
  check(product.rows() == x.rows() && product.cols() == W.cols(), kernel, ": x is ", x.rows(), "x",
        x.cols(), " and W is ", W.rows(), "x", W.cols(), ", so ", product_name, " must be ",
        x.rows(), "x", W.cols(), ", got ", product.rows(), "x", product.cols());
}

// Of rows [from, to): dx, the sum of their part of dW (W.size() floats), and dbias += their part.
struct BackwardOperands {
  const Matrix &x, &bias;
  std::uint64_t* bits;
  float factor;
  const Matrix &W, &dout;
  Matrix& dx;
};
const float* backward_rows(const BackwardOperands& o, Index from, Index to, double* dbias_sums) {
  const Index tiles = chunk_count(to - from, kHiddenTile);
  const Index wanted = std::clamp(tiles / kTilesPerSlice, kLeastSlices, kMostSlices);
  const Index slice_rows = chunk_count(tiles, wanted) * kHiddenTile;
  const Index slices = chunk_count(to - from, slice_rows),
              columns = (o.x.cols() + kLane - 1) / kLane * kLane, size = o.W.size();
  float* const dW = scratch<float, Slices>(slices * size);
  double* const dbias = scratch<double, BiasSlices>(slices * columns);
  parallel_for(to - from, slice_rows, [&](Index first, Index last) {
    const Index slice = first / slice_rows;
    float* const own_dW = dW + slice * size;
    double* const own_dbias = dbias + slice * columns;
    std::fill_n(own_dW, size, 0.0f);
    std::fill_n(own_dbias, columns, 0.0);
    for (Index begin = from + first; begin < from + last; begin += kHiddenTile) {
      HiddenTile tile = tile_of(o.x, begin, std::min(from + last, begin + kHiddenTile), o.bits);
      hidden_recall(tile, o.x, o.bias, o.factor);
      hidden_weight_gradients(tile, o.W, o.dout, own_dW);
      hidden_value_gradients(tile, o.W, o.dout, o.factor);
      hidden_store(tile, o.dx, own_dbias);
    }
  });
  parallel_for(size, 16 * 1024, [&](Index begin, Index end) {
    for (Index slice = 1; slice < slices; ++slice)
      for (Index at = begin; at < end; ++at) dW[at] += dW[slice * size + at];
  });
  for (Index slice = 0; slice < slices; ++slice)
    for (Index j = 0; j < o.x.cols(); ++j) dbias_sums[j] += dbias[slice * columns + j];
  return dW;
}

}  // namespace

Index hidden_words(Index columns) { return chunk_count(columns, kHiddenBlock); }

void hidden_gemm(const Matrix& x, const Matrix& bias, float p, const Rng* rng, const Matrix& W,
                 std::uint64_t* bits, Matrix& out) {
  check_shapes("hidden_gemm", x, bias, W, "out", out);
  if (x.cols() == 0) return out.fill(0.0f);
  parallel_for(x.rows(), kHiddenTile, [&](Index begin, Index end) {
    HiddenTile tile = tile_of(x, begin, end, bits);
    bias_relu_dropout_part(x, &bias, p, rng, tile.value, tile.step, begin, end);
    hidden_mark(tile);
    hidden_times(tile, W, out);
  });
}

void hidden_gemm_backward(const Matrix& x, const Matrix& bias, std::uint64_t* bits, float factor,
                          const Matrix& W, const Matrix& dout, HiddenGradients out) {
  check_shapes("hidden_gemm_backward", x, bias, W, "dout", dout);
  check_same_shape("hidden_gemm_backward", "x", x, "dx", out.dx);
  check_same_shape("hidden_gemm_backward", "bias", bias, "dbias", out.dbias);
  check_same_shape("hidden_gemm_backward", "W", W, "dW", out.dW);
  if (x.rows() == 0 || x.cols() == 0 || W.cols() == 0) {  // sums of nothing
    out.dx.fill(0.0f);
    if (!out.add_dbias) out.dbias.fill(0.0f);
    if (!out.add_dW) out.dW.fill(0.0f);
    return;
  }
  const BackwardOperands operands = {x, bias, bits, factor, W, dout, out.dx};
  const Index blocks = block_count(x.rows()), block = block_rows(), width = x.cols();
  using Floats = TreeSum<float>;
  using Doubles = TreeSum<double>;
  double* const room = scratch<double, BiasTree>(Doubles::room(blocks, width) + width);
  double* const dbias = room + Doubles::room(blocks, width);
  for (Index j = 0; j < width; ++j)
    dbias[j] = out.add_dbias ? static_cast<double>(out.dbias(0, j)) : 0.0;
  const float* dW = nullptr;
  if (blocks == 1) {
    dW = backward_rows(operands, 0, x.rows(), dbias);
  } else {
    Floats weights(scratch<float, WeightTree>(Floats::room(blocks, W.size())), W.size());
    Doubles sums(room, width);
    for (Index b = 0; b < blocks; ++b) {
      std::fill_n(sums.next(), width, 0.0);
      const float* const part =
          backward_rows(operands, b * block, std::min(x.rows(), (b + 1) * block), sums.next());
      std::copy_n(part, W.size(), weights.next());
      weights.push_block(b), sums.push_block(b);
    }
    dW = weights.total();
    for (Index j = 0; j < width; ++j) dbias[j] += sums.total()[j];
  }
  parallel_for(W.size(), 16 * 1024, [&](Index begin, Index end) {
    float* const to = out.dW.row(0);
    for (Index at = begin; at < end; ++at) to[at] = (out.add_dW ? to[at] : 0.0f) + dW[at];
  });
  for (Index j = 0; j < width; ++j) out.dbias(0, j) = static_cast<float>(dbias[j]);
}

}  // namespace scrl::kernels
