// Rows weighted one by one: out_i = sum_c w_ic x^c_i, and its adjoints.
#include "kernels/entry.h"
#include "kernels/reduce.h"
#include "kernels/rows.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/mix.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace scrl::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<float, kLane> kTag{};
constexpr Index kWidth = static_cast<Index>(MaxLanes(kTag));
using Vector = hn::Vec<decltype(kTag)>;

void mix_part(const Matrix& weights, std::span<const Matrix* const> parts, Matrix& out, Index begin,
              Index end) {
  for (Index i = begin; i < end; ++i) {
    const float* const w = weights.row(i);
    for (Index j = 0; j < out.cols(); j += kWidth) {
      Vector sum = hn::Zero(kTag);
      for (std::size_t c = 0; c < parts.size(); ++c) {
        sum = hn::MulAdd(hn::Set(kTag, w[c]), hn::Load(kTag, parts[c]->at(i, j)), sum);
      }
      hn::Store(sum, kTag, out.at(i, j));
    }
  }
}

void scale_rows_part(const Matrix& weights, Index c, const Matrix& x, Matrix& out, bool accumulate,
                     Index begin, Index end) {
  for (Index i = begin; i < end; ++i) {
    const Vector w = hn::Set(kTag, weights.row(i)[c]);
    for (Index j = 0; j < x.cols(); j += kWidth) {
      float* const to = out.at(i, j);
      const Vector v = hn::Mul(w, hn::Load(kTag, x.at(i, j)));
      hn::Store(accumulate ? hn::Add(hn::Load(kTag, to), v) : v, kTag, to);
    }
  }
}

void row_dots_part(const Matrix& x, const Matrix& y, Matrix& out, Index c, bool accumulate,
                   Index begin, Index end) {
  for (Index i = begin; i < end; ++i) {
    Vector sum = hn::Zero(kTag);
    for (Index j = 0; j < x.cols(); j += kWidth) {
      sum = hn::MulAdd(hn::Load(kTag, x.at(i, j)), hn::Load(kTag, y.at(i, j)), sum);
    }
    const float dot = hn::GetLane(hn::SumOfLanes(kTag, sum));
    float* const to = out.row(i) + c;
    *to = accumulate ? *to + dot : dot;
  }
}

}  // namespace scrl::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scrl::kernels {
HWY_EXPORT(mix_part);
HWY_EXPORT(scale_rows_part);
HWY_EXPORT(row_dots_part);
namespace {

void check_weights(const char* kernel, const Matrix& weights, Index c, const Matrix& x) {
  check(weights.rows() == x.rows() && c >= 0 && c < weights.cols(), kernel, ": x is ", x.rows(),
        "x", x.cols(), ", so there must be ", x.rows(), " weights in column ", c, ", got a ",
        weights.rows(), "x", weights.cols(), " matrix");
}

}  // namespace

void mix(const Matrix& weights, std::span<const Matrix* const> parts, Matrix& out) {
  check(weights.rows() == out.rows() && weights.cols() == static_cast<Index>(parts.size()),
        "mix: ", parts.size(), " parts make ", out.rows(), " rows, so there must be ", out.rows(),
        "x", parts.size(), " weights, got ", weights.rows(), "x", weights.cols());
  for (const Matrix* part : parts) check_same_shape("mix", "out", out, "a part", *part);
  const auto body = SCRL_DISPATCH(mix_part);
  parallel_for(out.rows(), row_grain(out),
               [&](Index begin, Index end) { body(weights, parts, out, begin, end); });
}

void scale_rows(const Matrix& weights, Index c, const Matrix& x, Matrix& out, bool accumulate) {
  check_weights("scale_rows", weights, c, x);
  check_same_shape("scale_rows", "x", x, "out", out);
  const auto body = SCRL_DISPATCH(scale_rows_part);
  parallel_for(x.rows(), row_grain(x),
               [&](Index begin, Index end) { body(weights, c, x, out, accumulate, begin, end); });
}

void row_dots(const Matrix& x, const Matrix& y, Matrix& out, Index c, bool accumulate) {
  check_weights("row_dots", out, c, x);
  check_same_shape("row_dots", "x", x, "y", y);
  const auto body = SCRL_DISPATCH(row_dots_part);
  parallel_for(x.rows(), row_grain(x),
               [&](Index begin, Index end) { body(x, y, out, c, accumulate, begin, end); });
}

}  // namespace scrl::kernels
#endif  // HWY_ONCE
