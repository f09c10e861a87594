// Bias, ReLU and dropout in one pass over memory, and their adjoints.
#include <algorithm>

#include "kernels/dropout.h"
#include "kernels/entry.h"
#include "kernels/kernels.h"
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

void bias_relu_rows(const Matrix& x, const float* bias, Matrix& out, Index begin, Index end) {
  for (Index i = begin; i < end; ++i) {
    const float* in = x.row(i);
    float* to = out.row(i);
    for (Index j = 0; j < x.stride(); j += kWidth) {
      hn::Store(positive_part(biased(in + j, bias ? bias + j : nullptr)), kTag, to + j);
    }
  }
}

void bias_relu_dropout_rows(const Matrix& x, const float* bias, DropoutRate rate, const Rng& rng,
                            Matrix& out, Index begin, Index end) {
  const Vector scale = hn::Set(kTag, rate.scale);
  const Index groups = dropout_groups(x.cols());
  for (Index i = begin; i < end; ++i) {
    for (Index g = 0; g < groups; ++g) {
      const Index first = g * kDropoutGroup;
      const Index planes = std::min<Index>(8, (x.stride() - first) / 16);
      const float* in = x.row(i) + first;
      float* to = out.row(i) + first;
      for_kept(rng, rate.threshold, static_cast<std::uint64_t>((i * groups + g) * kDropoutBlocks),
               planes, [&](Index at, hn::Mask<DropoutTag> keep) HWY_ATTR {
                 const Vector v = biased(in + at, bias ? bias + first + at : nullptr);
                 hn::Store(hn::IfThenElseZero(keep, hn::Mul(scale, positive_part(v))), kTag,
                           to + at);
               });
    }
  }
}

void relu_gradient_rows(const Matrix& out, const Matrix& dout, float scale, Matrix& dx,
                        bool accumulate, Index begin, Index end) {
  const Vector factor = hn::Set(kTag, scale);
  const Index last = end * out.stride();
  for (Index at = begin * out.stride(); at < last; at += kWidth) {
    const auto passed = hn::Gt(hn::Load(kTag, out.data() + at), hn::Zero(kTag));
    const Vector g = hn::IfThenElseZero(passed, hn::Mul(factor, hn::Load(kTag, dout.data() + at)));
    const Vector before = accumulate ? hn::Load(kTag, dx.data() + at) : hn::Zero(kTag);
    hn::Store(hn::Add(before, g), kTag, dx.data() + at);
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

void bias_relu_dropout(const Matrix& x, const Matrix* bias, float p, const Rng* rng, Matrix& out) {
  check_same_shape("bias_relu_dropout", "x", x, "out", out);
  if (bias) check_row_vector("bias_relu_dropout", "x", x, "bias", *bias);
  const DropoutRate rate = dropout_rate(p);
  const float* b = bias ? bias->data() : nullptr;
  const auto plain = SCRL_DISPATCH(bias_relu_rows);
  const auto dropping = SCRL_DISPATCH(bias_relu_dropout_rows);
  parallel_for(x.rows(), row_grain(x), [&](Index begin, Index end) {
    if (rng == nullptr || p == 0.0f) {
      plain(x, b, out, begin, end);
    } else {
      dropping(x, b, rate, *rng, out, begin, end);
    }
  });
}

void bias_relu_dropout_backward(const Matrix& out, const Matrix& dout, float scale, Matrix& dx,
                                bool accumulate) {
  check_same_shape("bias_relu_dropout_backward", "out", out, "dout", dout);
  check_same_shape("bias_relu_dropout_backward", "out", out, "dx", dx);
  const auto body = SCRL_DISPATCH(relu_gradient_rows);
  parallel_for(out.rows(), row_grain(out),
               [&](Index begin, Index end) { body(out, dout, scale, dx, accumulate, begin, end); });
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
  parallel_for(x.rows(), row_grain(x),
               [&](Index begin, Index end) { body(x, nullptr, out, begin, end); });
}

void relu_backward(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate) {
  check_same_shape("relu_backward", "out", out, "dout", dout);
  check_same_shape("relu_backward", "out", out, "dx", dx);
  const auto body = SCRL_DISPATCH(relu_gradient_rows);
  parallel_for(out.rows(), row_grain(out),
               [&](Index begin, Index end) { body(out, dout, 1.0f, dx, accumulate, begin, end); });
}

}  // namespace scrl::kernels
#endif  // HWY_ONCE
