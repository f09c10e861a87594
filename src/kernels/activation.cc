// Bias, ReLU and dropout in one pass over memory, and their adjoints.
#include "kernels/activation.h"

#include <algorithm>

#include "kernels/dropout.h"
#include "kernels/entry.h"
#include "kernels/layers.h"
#include "kernels/reduce.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/activation.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "kernels/dropout-inl.h"

HWY_BEFORE_NAMESPACE();
namespace scrl::kernels::HWY_NAMESPACE {

constexpr hn::CappedTag<float, kLane> kTag{};
constexpr Index kWidth = static_cast<Index>(MaxLanes(kTag));
using Vector = hn::Vec<decltype(kTag)>;

// A comparison, not a maximum: a NaN survives it and is found where the loss is checked.
HWY_INLINE Vector positive_part(Vector x) {
  return hn::IfThenZeroElse(hn::Le(x, hn::Zero(kTag)), x);
}

HWY_INLINE Vector biased(const float* x, const float* bias) {
  const Vector v = hn::Load(kTag, x);
  return bias == nullptr ? v : hn::Add(v, hn::Load(kTag, bias));
}

// Row i of the result goes to out + (i - begin) * out_step, out_step floats of it.
void bias_relu_rows(const Matrix& x, const float* bias, float* out, Index out_step, Index begin,
                    Index end) {
  const Index columns = std::min(x.stride(), out_step);
  for (Index i = begin; i < end; ++i, out += out_step) {
    for (Index j = 0; j < columns; j += kWidth) {
      hn::Store(positive_part(biased(x.at(i, j), bias ? bias + j : nullptr)), kTag, out + j);
    }
  }
}

void bias_relu_dropout_rows(const Matrix& x, const float* bias, DropoutRate rate, const Rng& rng,
                            float* out, Index out_step, Index begin, Index end) {
  const Vector scale = hn::Set(kTag, rate.scale);
  const Index groups = dropout_groups(x.cols()), columns = std::min(x.stride(), out_step);
  for (Index i = begin; i < end; ++i, out += out_step) {
    for (Index g = 0; g < groups; ++g) {
      const Index first = g * kDropoutGroup;
      const Index planes = std::min<Index>(8, (columns - first) / 16);
      for_kept(rng, rate.threshold, static_cast<std::uint64_t>((i * groups + g) * kDropoutBlocks),
               planes, [&](Index at, hn::Mask<DropoutTag> keep) HWY_ATTR {
                 const Index j = first + at;
                 const Vector v = biased(x.at(i, j), bias ? bias + j : nullptr);
                 hn::Store(hn::IfThenElseZero(keep, hn::Mul(scale, positive_part(v))), kTag,
                           out + j);
               });
    }
  }
}

// dx_i = dout_i * scale where out_i > 0; row i of dout is at dout + (i - begin) * dout_step. If
// `sums` is given, it gets the column sums of these rows.
void relu_gradient_rows(const Matrix& out, const float* dout, Index dout_step, float scale,
                        Matrix& dx, bool accumulate, double* sums, Index begin, Index end) {
  constexpr hn::CappedTag<double, kLane / 2> doubles{};
  const hn::Rebind<float, decltype(doubles)> as_doubles;
  constexpr Index kDoubles = static_cast<Index>(MaxLanes(doubles));
  const Vector factor = hn::Set(kTag, scale);
  const Index columns = std::min({out.stride(), dx.stride(), dout_step});
  if (sums != nullptr) std::fill_n(sums, columns, 0.0);
  for (Index i = begin; i < end; ++i, dout += dout_step) {
    const float* const y = out.row(i);
    for (Index j = 0; j < columns; j += kLane) {
      float* const to = dx.at(i, j);
      for (Index lane = 0; lane < kLane; lane += kWidth) {
        const auto passed = hn::Gt(hn::Load(kTag, y + j + lane), hn::Zero(kTag));
        const Vector g =
            hn::IfThenElseZero(passed, hn::Mul(factor, hn::Load(kTag, dout + j + lane)));
        const Vector before = accumulate ? hn::Load(kTag, to + lane) : hn::Zero(kTag);
        hn::Store(hn::Add(before, g), kTag, to + lane);
      }
      if (sums == nullptr) continue;
      for (Index lane = 0; lane < kLane; lane += kDoubles) {
        const auto g = hn::PromoteTo(doubles, hn::Load(as_doubles, to + lane));
        double* const sum = sums + j + lane;
        hn::Store(hn::Add(hn::Load(doubles, sum), g), doubles, sum);
      }
    }
  }
}

void add_bias_rows(const Matrix& x, const float* bias, Matrix& out, Index begin, Index end) {
  for (Index i = begin; i < end; ++i) {
    const float* in = x.row(i);
    float* to = out.row(i);
    for (Index j = 0; j < x.stride(); j += kWidth) {
      hn::Store(biased(in + j, bias + j), kTag, to + j);
    }
  }
}

}  // namespace scrl::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scrl::kernels {
HWY_EXPORT(bias_relu_rows);
HWY_EXPORT(bias_relu_dropout_rows);
HWY_EXPORT(relu_gradient_rows);
HWY_EXPORT(add_bias_rows);

void bias_relu_dropout_part(const Matrix& x, const Matrix* bias, float p, const Rng* rng,
                            float* out, Index out_step, Index begin, Index end) {
  const float* b = bias ? bias->data() : nullptr;
  if (rng == nullptr || p == 0.0f) {
    SCRL_DISPATCH(bias_relu_rows)(x, b, out, out_step, begin, end);
  } else {
    SCRL_DISPATCH(bias_relu_dropout_rows)
    (x, b, dropout_rate(p), *rng, out, out_step, begin, end);
  }
}

void bias_relu_dropout(const Matrix& x, const Matrix* bias, float p, const Rng* rng, Matrix& out) {
  check_same_shape("bias_relu_dropout", "x", x, "out", out);
  if (bias) check_row_vector("bias_relu_dropout", "x", x, "bias", *bias);
  parallel_for(x.rows(), row_grain(x), [&](Index begin, Index end) {
    bias_relu_dropout_part(x, bias, p, rng, out.row(begin), out.stride(), begin, end);
  });
}

void bias_relu_dropout_backward(const Matrix& out, const Matrix& dout, float scale, Matrix& dx,
                                bool accumulate) {
  check_same_shape("bias_relu_dropout_backward", "out", out, "dout", dout);
  check_same_shape("bias_relu_dropout_backward", "out", out, "dx", dx);
  const auto body = SCRL_DISPATCH(relu_gradient_rows);
  parallel_for(out.rows(), row_grain(out), [&](Index begin, Index end) {
    body(out, dout.row(begin), dout.stride(), scale, dx, accumulate, nullptr, begin, end);
  });
}

void add_bias(const Matrix& x, const Matrix& bias, Matrix& out) {
  check_same_shape("add_bias", "x", x, "out", out);
  check_row_vector("add_bias", "x", x, "bias", bias);
  const auto body = SCRL_DISPATCH(add_bias_rows);
  parallel_for(x.rows(), row_grain(x),
               [&](Index begin, Index end) { body(x, bias.data(), out, begin, end); });
}

void relu(const Matrix& x, Matrix& out) {
  check_same_shape("relu", "x", x, "out", out);
  const auto body = SCRL_DISPATCH(bias_relu_rows);
  parallel_for(x.rows(), row_grain(x), [&](Index begin, Index end) {
    body(x, nullptr, out.row(begin), out.stride(), begin, end);
  });
}

void relu_backward(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate) {
  check_same_shape("relu_backward", "out", out, "dout", dout);
  check_same_shape("relu_backward", "out", out, "dx", dx);
  bias_relu_dropout_backward(out, dout, 1.0f, dx, accumulate);
}

}  // namespace scrl::kernels
#endif  // HWY_ONCE
