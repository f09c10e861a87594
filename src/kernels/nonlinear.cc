// Curves that are applied element by element, and their adjoints: ELU, PReLU, tanh, sigmoid.
//
// Adjoints read the value instead of the argument where that is enough: the derivative of tanh is
// 1 - y^2, of sigmoid y (1 - y), of ELU y + 1 below zero. A NaN comes out as a NaN; arguments are
// clamped before the exponential, which takes neither NaN nor huge numbers.
#include "kernels/nonlinear.h"

#include <algorithm>

#include "kernels/entry.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/nonlinear.cc"
// clang-format off
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
// clang-format on

HWY_BEFORE_NAMESPACE();
namespace scrl::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<float, kLane> kTag{};
constexpr Index kWidth = static_cast<Index>(MaxLanes(kTag));
using Vector = hn::Vec<decltype(kTag)>;

// out = f(x)
template <class F>
HWY_INLINE void map_rows(const Matrix& x, Matrix& out, Index begin, Index end, const F& f) {
  for (Index i = begin; i < end; ++i) {
    for (Index j = 0; j < x.cols(); j += kWidth) {
      hn::Store(f(hn::Load(kTag, x.at(i, j))), kTag, out.at(i, j));
    }
  }
}

// dx = or += dout * slope(y)
template <class F>
HWY_INLINE void gradient_rows(const Matrix& y, const Matrix& dout, Matrix& dx, bool accumulate,
                              Index begin, Index end, const F& slope) {
  for (Index i = begin; i < end; ++i) {
    for (Index j = 0; j < y.cols(); j += kWidth) {
      float* const to = dx.at(i, j);
      const Vector g = hn::Mul(hn::Load(kTag, dout.at(i, j)), slope(hn::Load(kTag, y.at(i, j))));
      hn::Store(accumulate ? hn::Add(hn::Load(kTag, to), g) : g, kTag, to);
    }
  }
}

void elu_rows(const Matrix& x, Matrix& out, Index begin, Index end) {
  const Vector zero = hn::Zero(kTag);
  map_rows(x, out, begin, end, [&](Vector v) HWY_ATTR {
    return hn::IfThenElse(hn::Lt(v, zero), hn::Expm1(kTag, hn::Min(v, zero)), v);
  });
}

void elu_gradient_rows(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate,
                       Index begin, Index end) {
  const Vector one = hn::Set(kTag, 1.0f);
  gradient_rows(out, dout, dx, accumulate, begin, end,
                [&](Vector y) HWY_ATTR { return hn::Min(one, hn::Add(y, one)); });
}

void prelu_rows(const Matrix& x, float slope, Matrix& out, Index begin, Index end) {
  const Vector zero = hn::Zero(kTag), factor = hn::Set(kTag, slope);
  map_rows(x, out, begin, end, [&](Vector v) HWY_ATTR {
    return hn::IfThenElse(hn::Lt(v, zero), hn::Mul(factor, v), v);
  });
}

void prelu_gradient_rows(const Matrix& x, const Matrix& dout, float slope, Matrix& dx,
                         bool accumulate, Index begin, Index end) {
  const Vector zero = hn::Zero(kTag), one = hn::Set(kTag, 1.0f), factor = hn::Set(kTag, slope);
  gradient_rows(x, dout, dx, accumulate, begin, end,
                [&](Vector v) HWY_ATTR { return hn::IfThenElse(hn::Le(v, zero), factor, one); });
}

// The part of these rows in the gradient of the slope: sum of dout x where x < 0.
double prelu_slope_rows(const Matrix& x, const Matrix& dout, Index begin, Index end) {
  constexpr hn::CappedTag<double, kLane / 2> doubles{};
  const hn::Rebind<float, decltype(doubles)> floats;
  auto sum = hn::Zero(doubles);
  for (Index i = begin; i < end; ++i) {
    for (Index j = 0; j < x.cols(); j += static_cast<Index>(MaxLanes(doubles))) {
      const auto v = hn::PromoteTo(doubles, hn::Load(floats, x.at(i, j)));
      const auto g = hn::PromoteTo(doubles, hn::Load(floats, dout.at(i, j)));
      sum = hn::Add(sum, hn::IfThenElseZero(hn::Lt(v, hn::Zero(doubles)), hn::Mul(v, g)));
    }
  }
  return hn::GetLane(hn::SumOfLanes(doubles, sum));
}

void tanh_rows(const Matrix& x, Matrix& out, Index begin, Index end) {
  const Vector high = hn::Set(kTag, 20.0f), low = hn::Set(kTag, -20.0f);
  map_rows(x, out, begin, end, [&](Vector v) HWY_ATTR {
    const Vector y = hn::Tanh(kTag, hn::Max(hn::Min(v, high), low));
    return hn::IfThenElse(hn::IsNaN(v), v, y);
  });
}

void tanh_gradient_rows(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate,
                        Index begin, Index end) {
  const Vector one = hn::Set(kTag, 1.0f);
  gradient_rows(out, dout, dx, accumulate, begin, end,
                [&](Vector y) HWY_ATTR { return hn::NegMulAdd(y, y, one); });
}

void sigmoid_rows(const Matrix& x, Matrix& out, Index begin, Index end) {
  const Vector one = hn::Set(kTag, 1.0f), low = hn::Set(kTag, -104.0f), zero = hn::Zero(kTag);
  map_rows(x, out, begin, end, [&](Vector v) HWY_ATTR {
    // Of both signs the exponential of -|x|, which never overflows.
    const Vector e = hn::Exp(kTag, hn::Max(hn::Neg(hn::Abs(v)), low));
    const Vector y = hn::Div(hn::IfThenElse(hn::Lt(v, zero), e, one), hn::Add(one, e));
    return hn::IfThenElse(hn::IsNaN(v), v, y);
  });
  const Index cols = out.cols(), whole = (cols + kLane - 1) / kLane * kLane;
  if (cols == whole) return;
  for (Index i = begin; i < end; ++i) std::fill_n(out.at(i, cols), whole - cols, 0.0f);
}

void sigmoid_gradient_rows(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate,
                           Index begin, Index end) {
  const Vector one = hn::Set(kTag, 1.0f);
  gradient_rows(out, dout, dx, accumulate, begin, end,
                [&](Vector y) HWY_ATTR { return hn::Mul(y, hn::Sub(one, y)); });
}

}  // namespace scrl::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scrl::kernels {
HWY_EXPORT(elu_rows);
HWY_EXPORT(elu_gradient_rows);
HWY_EXPORT(prelu_rows);
HWY_EXPORT(prelu_gradient_rows);
HWY_EXPORT(prelu_slope_rows);
HWY_EXPORT(tanh_rows);
HWY_EXPORT(tanh_gradient_rows);
HWY_EXPORT(sigmoid_rows);
HWY_EXPORT(sigmoid_gradient_rows);
namespace {

struct SlopePartials;

template <class Body>
void forward(const char* kernel, const Body& body, const Matrix& x, Matrix& out) {
  check_same_shape(kernel, "x", x, "out", out);
  parallel_for(x.rows(), row_grain(x), [&](Index begin, Index end) { body(x, out, begin, end); });
}

template <class Body>
void backward(const char* kernel, const Body& body, const Matrix& out, const Matrix& dout,
              Matrix& dx, bool accumulate) {
  check_same_shape(kernel, "out", out, "dout", dout);
  check_same_shape(kernel, "out", out, "dx", dx);
  parallel_for(out.rows(), row_grain(out),
               [&](Index begin, Index end) { body(out, dout, dx, accumulate, begin, end); });
}

}  // namespace

void elu(const Matrix& x, Matrix& out) { forward("elu", SCRL_DISPATCH(elu_rows), x, out); }
void elu_backward(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate) {
  backward("elu_backward", SCRL_DISPATCH(elu_gradient_rows), out, dout, dx, accumulate);
}

void tanh(const Matrix& x, Matrix& out) { forward("tanh", SCRL_DISPATCH(tanh_rows), x, out); }
void tanh_backward(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate) {
  backward("tanh_backward", SCRL_DISPATCH(tanh_gradient_rows), out, dout, dx, accumulate);
}

void sigmoid(const Matrix& x, Matrix& out) {
  forward("sigmoid", SCRL_DISPATCH(sigmoid_rows), x, out);
}
void sigmoid_backward(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate) {
  backward("sigmoid_backward", SCRL_DISPATCH(sigmoid_gradient_rows), out, dout, dx, accumulate);
}

void prelu(const Matrix& x, float slope, Matrix& out) {
  check_same_shape("prelu", "x", x, "out", out);
  const auto body = SCRL_DISPATCH(prelu_rows);
  parallel_for(x.rows(), row_grain(x),
               [&](Index begin, Index end) { body(x, slope, out, begin, end); });
}

void prelu_backward(const Matrix& x, const Matrix& dout, float slope, Matrix& dx, bool accumulate) {
  check_same_shape("prelu_backward", "x", x, "dout", dout);
  check_same_shape("prelu_backward", "x", x, "dx", dx);
  const auto body = SCRL_DISPATCH(prelu_gradient_rows);
  parallel_for(x.rows(), row_grain(x),
               [&](Index begin, Index end) { body(x, dout, slope, dx, accumulate, begin, end); });
}

double prelu_slope_gradient(const Matrix& x, const Matrix& dout) {
  check_same_shape("prelu_slope_gradient", "x", x, "dout", dout);
  const Index grain = row_grain(x), chunks = chunk_count(x.rows(), grain);
  double* const partials = scratch<double, SlopePartials>(chunks);
  const auto body = SCRL_DISPATCH(prelu_slope_rows);
  parallel_for(x.rows(), grain, [&](Index begin, Index end) {
    partials[begin / grain] = body(x, dout, begin, end);
  });
  double sum = 0.0;
  for (Index c = 0; c < chunks; ++c) sum += partials[c];
  return sum;
}

}  // namespace scrl::kernels
#endif  // HWY_ONCE
