// Kernels that treat every column by numbers of its own: moments, centring, batch normalisation.
#include "kernels/columns.h"

#include <algorithm>

#include "kernels/block_sums.h"
#include "kernels/entry.h"
#include "kernels/reduce.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/columns.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#ifndef SCRL_KERNELS_COLUMNS_ONCE
#define SCRL_KERNELS_COLUMNS_ONCE
namespace scrl::kernels {
// Columns of x and the padding up to the next vector: as far as a row vector (1,h) reaches.
inline Index whole_lanes(const Matrix& x) { return (x.cols() + kLane - 1) / kLane * kLane; }
}  // namespace scrl::kernels
#endif

HWY_BEFORE_NAMESPACE();
namespace scrl::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<float, kLane> kTag{};
constexpr Index kWidth = static_cast<Index>(MaxLanes(kTag));
using Vector = hn::Vec<decltype(kTag)>;
constexpr hn::CappedTag<double, kLane / 2> kDoubles{};
constexpr Index kDoubleWidth = static_cast<Index>(MaxLanes(kDoubles));
using Doubles = hn::Vec<decltype(kDoubles)>;

HWY_INLINE Doubles promoted(const float* at) {
  const hn::Rebind<float, decltype(kDoubles)> floats;
  return hn::PromoteTo(kDoubles, hn::Load(floats, at));
}

// Over rows [begin, end): sums[j] = sum y_ij, dots[j] = sum x_ij y_ij.
void moments_rows(const Matrix& x, const Matrix& y, double* sums, double* dots, Index begin,
                  Index end) {
  constexpr Index kTogether = kLane / kDoubleWidth;  // one cache line of a row at a time
  for (Index j = 0; j < whole_lanes(x); j += kLane) {
    Doubles sum[kTogether], dot[kTogether];
    for (Index v = 0; v < kTogether; ++v) sum[v] = dot[v] = hn::Zero(kDoubles);
    for (Index i = begin; i < end; ++i) {
      const float *const a = x.at(i, j), *const b = y.at(i, j);
      for (Index v = 0; v < kTogether; ++v) {
        const Doubles right = promoted(b + v * kDoubleWidth);
        sum[v] = hn::Add(sum[v], right);
        dot[v] = hn::MulAdd(promoted(a + v * kDoubleWidth), right, dot[v]);
      }
    }
    for (Index v = 0; v < kTogether; ++v) {
      hn::Store(sum[v], kDoubles, sums + j + v * kDoubleWidth);
      hn::Store(dot[v], kDoubles, dots + j + v * kDoubleWidth);
    }
  }
}

HWY_INLINE void put(Vector value, float* to, bool accumulate) {
  hn::Store(accumulate ? hn::Add(hn::Load(kTag, to), value) : value, kTag, to);
}

void map_rows(const Matrix& x, const float* shift, const float* scale, const float* offset,
              Matrix& out, bool accumulate, Index begin, Index end) {
  for (Index i = begin; i < end; ++i) {
    for (Index j = 0; j < whole_lanes(x); j += kWidth) {
      Vector v = hn::Load(kTag, x.at(i, j));
      if (shift != nullptr) v = hn::Sub(v, hn::Load(kTag, shift + j));
      if (scale != nullptr) v = hn::Mul(v, hn::Load(kTag, scale + j));
      if (offset != nullptr) v = hn::Add(v, hn::Load(kTag, offset + j));
      put(v, out.at(i, j), accumulate);
    }
  }
}

void repeat_rows(const float* row, Matrix& out, bool accumulate, Index begin, Index end) {
  for (Index i = begin; i < end; ++i) {
    for (Index j = 0; j < whole_lanes(out); j += kWidth) {
      put(hn::Load(kTag, row + j), out.at(i, j), accumulate);
    }
  }
}

void batch_norm_gradient_rows(const Matrix& out, const Matrix& dout, const BatchNormGradient& at,
                              Matrix& dx, bool accumulate, Index begin, Index end) {
  const float *const offset = at.offset.row(0), *const scale = at.scale.row(0);
  const float *const mean = at.mean_dout.row(0), *const product = at.mean_product.row(0);
  for (Index i = begin; i < end; ++i) {
    for (Index j = 0; j < whole_lanes(out); j += kWidth) {
      const Vector xhat = hn::Sub(hn::Load(kTag, out.at(i, j)), hn::Load(kTag, offset + j));
      const Vector g = hn::Sub(hn::Load(kTag, dout.at(i, j)), hn::Load(kTag, mean + j));
      const Vector across = hn::NegMulAdd(xhat, hn::Load(kTag, product + j), g);
      put(hn::Mul(across, hn::Load(kTag, scale + j)), dx.at(i, j), accumulate);
    }
  }
}

}  // namespace scrl::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scrl::kernels {
HWY_EXPORT(moments_rows);
HWY_EXPORT(map_rows);
HWY_EXPORT(repeat_rows);
HWY_EXPORT(batch_norm_gradient_rows);
namespace {

struct MomentPartials;

}  // namespace

void column_moments(const Matrix& x, const Matrix& y, std::span<double> sums,
                    std::span<double> dots) {
  check_same_shape("column_moments", "x", x, "y", y);
  const auto cols = static_cast<std::size_t>(x.cols());
  check(sums.size() == cols && dots.size() == cols, "column_moments: x is ", x.rows(), "x", cols,
        ", so there must be ", cols, " sums and dots, got ", sums.size(), " and ", dots.size());
  const BlockChunks chunks{x.rows(), std::max<Index>(256, row_grain(x))};  // few rows next to x
  const Index width = whole_lanes(x);
  double* const partials = scratch<double, MomentPartials>((chunks.count() + 1) * 2 * width);
  const auto body = SCRL_DISPATCH(moments_rows);
  chunks.for_each([&](Index chunk, Index begin, Index end) {
    double* const part = partials + chunk * 2 * width;
    body(x, y, part, part + width, begin, end);
  });
  double* const both = partials + chunks.count() * 2 * width;
  std::fill_n(both, 2 * width, 0.0);
  add_up(
      chunks, 2 * width, [&](Index c, Index j) { return partials[c * 2 * width + j]; }, both);
  std::copy_n(both, cols, sums.begin());
  std::copy_n(both + width, cols, dots.begin());
}

void map_columns(const Matrix& x, const ColumnMap& map, Matrix& out, bool accumulate) {
  check_same_shape("map_columns", "x", x, "out", out);
  const auto row = [&](const char* name, const Matrix* vector) -> const float* {
    if (vector == nullptr) return nullptr;
    check_row_vector("map_columns", "x", x, name, *vector);
    return vector->data();
  };
  const float* const shift = row("shift", map.shift);
  const float* const scale = row("scale", map.scale);
  const float* const offset = row("offset", map.offset);
  const auto body = SCRL_DISPATCH(map_rows);
  parallel_for(x.rows(), row_grain(x), [&](Index begin, Index end) {
    body(x, shift, scale, offset, out, accumulate, begin, end);
  });
}

void repeat_row(const Matrix& row, Matrix& out, bool accumulate) {
  check_row_vector("repeat_row", "out", out, "row", row);
  const auto body = SCRL_DISPATCH(repeat_rows);
  parallel_for(out.rows(), row_grain(out),
               [&](Index begin, Index end) { body(row.data(), out, accumulate, begin, end); });
}

void batch_norm_backward(const Matrix& out, const Matrix& dout, const BatchNormGradient& at,
                         Matrix& dx, bool accumulate) {
  check_same_shape("batch_norm_backward", "out", out, "dout", dout);
  check_same_shape("batch_norm_backward", "out", out, "dx", dx);
  check_row_vector("batch_norm_backward", "out", out, "offset", at.offset);
  check_row_vector("batch_norm_backward", "out", out, "scale", at.scale);
  check_row_vector("batch_norm_backward", "out", out, "mean_dout", at.mean_dout);
  check_row_vector("batch_norm_backward", "out", out, "mean_product", at.mean_product);
  const auto body = SCRL_DISPATCH(batch_norm_gradient_rows);
  parallel_for(out.rows(), row_grain(out),
               [&](Index begin, Index end) { body(out, dout, at, dx, accumulate, begin, end); });
}

}  // namespace scrl::kernels
#endif  // HWY_ONCE
