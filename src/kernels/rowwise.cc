// Kernels that look at one row at a time: softmax, norms, argmax.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/entry.h"
#include "kernels/rows.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/rowwise.cc"
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

// Lanes of the vector at column j that are columns and not padding.
HWY_INLINE hn::Mask<decltype(kTag)> real_lanes(Index cols, Index j) {
  return hn::FirstN(kTag, static_cast<std::size_t>(std::min(kWidth, cols - j)));
}
HWY_INLINE float sum_of(Vector v) { return hn::GetLane(hn::SumOfLanes(kTag, v)); }
HWY_INLINE float max_of(Vector v) { return hn::GetLane(hn::MaxOfLanes(kTag, v)); }
HWY_INLINE Vector zero_or(const float* at, bool wanted) {
  return wanted ? hn::Load(kTag, at) : hn::Zero(kTag);
}

HWY_INLINE float row_max(const float* x, Index cols) {
  const Vector lowest = hn::Set(kTag, -std::numeric_limits<float>::infinity());
  Vector top = lowest;
  for (Index j = 0; j < cols; j += kWidth) {
    top = hn::Max(top, hn::IfThenElse(real_lanes(cols, j), hn::Load(kTag, x + j), lowest));
  }
  return max_of(top);
}

void log_softmax_rows(const Matrix& x, float s, Matrix& out, Index begin, Index end) {
  const Index cols = x.cols();
  const float sign = s < 0.0f ? -1.0f : 1.0f;
  const Vector sign_of_s = hn::Set(kTag, sign), size_of_s = hn::Set(kTag, sign * s);
  const Vector lowest = hn::Set(kTag, -std::numeric_limits<float>::infinity());
  for (Index i = begin; i < end; ++i) {
    const float* in = x.row(i);
    float* to = out.row(i);
    // Shifted before it is scaled: the difference of close numbers is exact, that of products not.
    Vector high = lowest;
    for (Index j = 0; j < cols; j += kWidth) {
      const Vector v = hn::Mul(sign_of_s, hn::Load(kTag, in + j));
      high = hn::Max(high, hn::IfThenElse(real_lanes(cols, j), v, lowest));
    }
    const Vector top = hn::MaxOfLanes(kTag, high);
    Vector sum = hn::Zero(kTag);
    for (Index j = 0; j < cols; j += kWidth) {
      const Vector v = hn::Mul(sign_of_s, hn::Load(kTag, in + j));
      const Vector shifted = hn::Mul(size_of_s, hn::Sub(v, top));
      sum = hn::Add(sum, hn::IfThenElseZero(real_lanes(cols, j), hn::Exp(kTag, shifted)));
      hn::Store(shifted, kTag, to + j);
    }
    const Vector log_sum = hn::Set(kTag, std::log(sum_of(sum)));
    for (Index j = 0; j < cols; j += kWidth) {
      const Vector log_p = hn::Sub(hn::Load(kTag, to + j), log_sum);
      hn::Store(hn::IfThenElseZero(real_lanes(cols, j), log_p), kTag, to + j);
    }
  }
}

void log_softmax_backward_rows(const Matrix& L, const Matrix& dL, float s, Matrix& dx,
                               bool accumulate, Index begin, Index end) {
  const Index cols = L.cols();
  const Vector factor = hn::Set(kTag, s);
  for (Index i = begin; i < end; ++i) {
    const float *log_p = L.row(i), *g = dL.row(i);
    float* to = dx.row(i);
    Vector sum = hn::Zero(kTag);
    for (Index j = 0; j < cols; j += kWidth) sum = hn::Add(sum, hn::Load(kTag, g + j));
    const Vector total = hn::Set(kTag, sum_of(sum));
    for (Index j = 0; j < cols; j += kWidth) {
      const Vector p = hn::Exp(kTag, hn::Load(kTag, log_p + j));
      const Vector d = hn::Mul(factor, hn::NegMulAdd(p, total, hn::Load(kTag, g + j)));
      const Vector kept = hn::IfThenElseZero(real_lanes(cols, j), d);
      hn::Store(hn::Add(zero_or(to + j, accumulate), kept), kTag, to + j);
    }
  }
}

void softmax_rows(const Matrix& x, Matrix& out, Index begin, Index end) {
  const Index cols = x.cols();
  for (Index i = begin; i < end; ++i) {
    const float* in = x.row(i);
    float* to = out.row(i);
    const Vector top = hn::Set(kTag, row_max(in, cols));
    Vector sum = hn::Zero(kTag);
    for (Index j = 0; j < cols; j += kWidth) {
      const Vector t = hn::Sub(hn::Load(kTag, in + j), top);
      // The exponential of a NaN would be 0, and nobody would learn of it.
      const Vector e = hn::IfThenElse(hn::IsNaN(t), t, hn::Exp(kTag, t));
      const Vector kept = hn::IfThenElseZero(real_lanes(cols, j), e);
      sum = hn::Add(sum, kept);
      hn::Store(kept, kTag, to + j);
    }
    const Vector total = hn::Set(kTag, sum_of(sum));
    for (Index j = 0; j < cols; j += kWidth) {
      const Vector share = hn::Div(hn::Load(kTag, to + j), total);
      hn::Store(hn::IfThenElseZero(real_lanes(cols, j), share), kTag, to + j);
    }
  }
}

HWY_INLINE float row_dot(const float* x, const float* y, Index cols) {
  Vector sum = hn::Zero(kTag);
  for (Index j = 0; j < cols; j += kWidth) {
    sum = hn::MulAdd(hn::Load(kTag, x + j), hn::Load(kTag, y + j), sum);
  }
  return sum_of(sum);
}

void softmax_backward_rows(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate,
                           Index begin, Index end) {
  for (Index i = begin; i < end; ++i) {
    const float *p = out.row(i), *g = dout.row(i);
    float* to = dx.row(i);
    const Vector along = hn::Set(kTag, row_dot(p, g, out.cols()));
    for (Index j = 0; j < out.cols(); j += kWidth) {
      const Vector across = hn::Sub(hn::Load(kTag, g + j), along);
      const Vector d = hn::Mul(hn::Load(kTag, p + j), across);
      hn::Store(hn::Add(zero_or(to + j, accumulate), d), kTag, to + j);
    }
  }
}

constexpr float kSmallestNorm = 1e-12f;

void normalize_rows(const Matrix& x, Matrix& out, float* norms, Index begin, Index end) {
  for (Index i = begin; i < end; ++i) {
    const float* in = x.row(i);
    float* to = out.row(i);
    norms[i] = std::sqrt(row_dot(in, in, x.cols()));
    const Vector norm = hn::Set(kTag, std::max(norms[i], kSmallestNorm));
    for (Index j = 0; j < x.cols(); j += kWidth) {
      hn::Store(hn::Div(hn::Load(kTag, in + j), norm), kTag, to + j);
    }
  }
}

void normalize_backward_rows(const Matrix& out, const float* norms, const Matrix& dout, Matrix& dx,
                             bool accumulate, Index begin, Index end) {
  for (Index i = begin; i < end; ++i) {
    const float *y = out.row(i), *g = dout.row(i);
    float* to = dx.row(i);
    const Vector along = hn::Set(kTag, row_dot(y, g, out.cols()));
    const Vector norm = hn::Set(kTag, std::max(norms[i], kSmallestNorm));
    for (Index j = 0; j < out.cols(); j += kWidth) {
      const Vector across = hn::NegMulAdd(hn::Load(kTag, y + j), along, hn::Load(kTag, g + j));
      hn::Store(hn::Add(zero_or(to + j, accumulate), hn::Div(across, norm)), kTag, to + j);
    }
  }
}

void argmax(const Matrix& x, std::int32_t* out, Index begin, Index end) {
  for (Index i = begin; i < end; ++i) {
    const float* in = x.row(i);
    const Vector top = hn::Set(kTag, row_max(in, x.cols()));
    out[i] = 0;  // stays in a row of NaN
    for (Index j = 0; j < x.cols(); j += kWidth) {
      const auto equal = hn::And(hn::Eq(hn::Load(kTag, in + j), top), real_lanes(x.cols(), j));
      if (const auto lane = hn::FindFirstTrue(kTag, equal); lane >= 0) {
        out[i] = static_cast<std::int32_t>(j + lane);
        break;
      }
    }
  }
}

}  // namespace scrl::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scrl::kernels {
HWY_EXPORT(log_softmax_rows);
HWY_EXPORT(log_softmax_backward_rows);
HWY_EXPORT(softmax_rows);
HWY_EXPORT(softmax_backward_rows);
HWY_EXPORT(normalize_rows);
HWY_EXPORT(normalize_backward_rows);
HWY_EXPORT(argmax);

void log_softmax(const Matrix& x, float s, Matrix& out) {
  check_same_shape("log_softmax", "x", x, "out", out);
  const auto body = SCRL_DISPATCH(log_softmax_rows);
  parallel_for(x.rows(), row_grain(x),
               [&](Index begin, Index end) { body(x, s, out, begin, end); });
}

void log_softmax_backward(const Matrix& L, const Matrix& dL, float s, Matrix& dx, bool accumulate) {
  check_same_shape("log_softmax_backward", "L", L, "dL", dL);
  check_same_shape("log_softmax_backward", "L", L, "dx", dx);
  const auto body = SCRL_DISPATCH(log_softmax_backward_rows);
  parallel_for(L.rows(), row_grain(L),
               [&](Index begin, Index end) { body(L, dL, s, dx, accumulate, begin, end); });
}

void softmax(const Matrix& x, Matrix& out) {
  check_same_shape("softmax", "x", x, "out", out);
  const auto body = SCRL_DISPATCH(softmax_rows);
  parallel_for(x.rows(), row_grain(x), [&](Index begin, Index end) { body(x, out, begin, end); });
}

void softmax_backward(const Matrix& out, const Matrix& dout, Matrix& dx, bool accumulate) {
  check_same_shape("softmax_backward", "out", out, "dout", dout);
  check_same_shape("softmax_backward", "out", out, "dx", dx);
  const auto body = SCRL_DISPATCH(softmax_backward_rows);
  parallel_for(out.rows(), row_grain(out),
               [&](Index begin, Index end) { body(out, dout, dx, accumulate, begin, end); });
}

void l2_normalize_rows(const Matrix& x, Matrix& out, std::vector<float>& norms) {
  check_same_shape("l2_normalize_rows", "x", x, "out", out);
  norms.resize(static_cast<std::size_t>(x.rows()));
  const auto body = SCRL_DISPATCH(normalize_rows);
  parallel_for(x.rows(), row_grain(x),
               [&](Index begin, Index end) { body(x, out, norms.data(), begin, end); });
}

void l2_normalize_rows_backward(const Matrix& out, const std::vector<float>& norms,
                                const Matrix& dout, Matrix& dx, bool accumulate) {
  check_same_shape("l2_normalize_rows_backward", "out", out, "dout", dout);
  check_same_shape("l2_normalize_rows_backward", "out", out, "dx", dx);
  check(static_cast<Index>(norms.size()) == out.rows(), "l2_normalize_rows_backward: out is ",
        out.rows(), "x", out.cols(), ", so there must be ", out.rows(), " norms, got ",
        norms.size());
  const auto body = SCRL_DISPATCH(normalize_backward_rows);
  parallel_for(out.rows(), row_grain(out), [&](Index begin, Index end) {
    body(out, norms.data(), dout, dx, accumulate, begin, end);
  });
}

void argmax_rows(const Matrix& x, std::vector<std::int32_t>& out) {
  check(x.cols() > 0 || x.rows() == 0, "argmax_rows: x is ", x.rows(), "x0, expected columns");
  out.resize(static_cast<std::size_t>(x.rows()));
  const auto body = SCRL_DISPATCH(argmax);
  parallel_for(x.rows(), row_grain(x),
               [&](Index begin, Index end) { body(x, out.data(), begin, end); });
}

}  // namespace scrl::kernels
#endif  // HWY_ONCE
