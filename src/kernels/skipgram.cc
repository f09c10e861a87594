// The inner loop of skip-gram and LINE. All dot products come first, since no row of a step depends
// on the update of another; then sigma for all rows at once; then each row is read and written once
// more, while it is still in the first-level cache.
#include "kernels/skipgram.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/skipgram.cc"
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

HWY_INLINE float sum_of(Vector v) { return hn::GetLane(hn::SumOfLanes(kTag, v)); }

HWY_INLINE void dots_of(const float* v, const float* table, Index stride,
                        std::span<const std::uint32_t> rows, float* dots) {
  const auto row = [&](std::size_t k) { return table + rows[k] * stride; };
  std::size_t k = 0;
  for (; k + 4 <= rows.size(); k += 4) {  // four sums hide each other's latency
    const float *w0 = row(k), *w1 = row(k + 1), *w2 = row(k + 2), *w3 = row(k + 3);
    Vector s0 = hn::Zero(kTag), s1 = s0, s2 = s0, s3 = s0;
    for (Index j = 0; j < stride; j += kWidth) {
      const Vector x = hn::Load(kTag, v + j);
      s0 = hn::MulAdd(x, hn::Load(kTag, w0 + j), s0);
      s1 = hn::MulAdd(x, hn::Load(kTag, w1 + j), s1);
      s2 = hn::MulAdd(x, hn::Load(kTag, w2 + j), s2);
      s3 = hn::MulAdd(x, hn::Load(kTag, w3 + j), s3);
    }
    dots[k] = sum_of(s0);
    dots[k + 1] = sum_of(s1);
    dots[k + 2] = sum_of(s2);
    dots[k + 3] = sum_of(s3);
  }
  for (; k < rows.size(); ++k) {
    const float* w = row(k);
    Vector sum = hn::Zero(kTag);
    for (Index j = 0; j < stride; j += kWidth) {
      sum = hn::MulAdd(hn::Load(kTag, v + j), hn::Load(kTag, w + j), sum);
    }
    dots[k] = sum_of(sum);
  }
}

// e += g_k w_k and w_k += g_k v in kUnroll vectors from column j on, then v += e.
template <Index kUnroll>
HWY_INLINE void update_columns(float* v, float* table, Index stride, Index j,
                               std::span<const std::uint32_t> rows, const float* g) {
  Vector x[kUnroll], e[kUnroll];
  for (Index u = 0; u < kUnroll; ++u) {
    x[u] = hn::Load(kTag, v + j + u * kWidth);
    e[u] = hn::Zero(kTag);
  }
  for (std::size_t k = 0; k < rows.size(); ++k) {
    float* w = table + rows[k] * stride + j;
    const Vector factor = hn::Set(kTag, g[k]);
    for (Index u = 0; u < kUnroll; ++u) {
      const Vector old = hn::Load(kTag, w + u * kWidth);
      e[u] = hn::MulAdd(factor, old, e[u]);
      hn::Store(hn::MulAdd(factor, x[u], old), kTag, w + u * kWidth);
    }
  }
  for (Index u = 0; u < kUnroll; ++u) {
    hn::Store(hn::Add(x[u], e[u]), kTag, v + j + u * kWidth);
  }
}

float step_body(float* v, float* table, Index stride, const StepTargets& targets, float lr,
                bool want_loss) {
  alignas(64) float dots[kMaxTargets], g[kMaxTargets];
  const Index count = targets.count;
  const std::span<const std::uint32_t> rows(targets.row, targets.count);
  dots_of(v, table, stride, rows, dots);
  for (Index k = count; k % kWidth != 0; ++k) dots[k] = 0.0f;

  const Vector one = hn::Set(kTag, 1.0f), rate = hn::Set(kTag, lr), limit = hn::Set(kTag, 80.0f);
  Vector loss = hn::Zero(kTag);
  for (Index k = 0; k < count; k += kWidth) {
    const Vector x = hn::Max(hn::Min(hn::Load(kTag, dots + k), limit), hn::Neg(limit));
    const Vector positive = hn::Load(kTag, targets.positive + k);
    const Vector total = hn::Load(kTag, targets.total + k);
    const Vector t = hn::Exp(kTag, hn::Neg(x));
    const Vector wrong = hn::Sub(positive, hn::Div(total, hn::Add(one, t)));
    hn::Store(hn::Mul(rate, wrong), kTag, g + k);
    if (want_loss) {  // -log sigma(x) = log(1 + t), and -log sigma(-x) that plus x
      const auto real = hn::FirstN(kTag, static_cast<std::size_t>(std::min(kWidth, count - k)));
      const Vector sum = hn::Mul(total, hn::Log1p(kTag, t));
      const Vector term = hn::MulAdd(hn::Sub(total, positive), x, sum);
      loss = hn::Add(loss, hn::IfThenElseZero(real, term));
    }
  }

  Index j = 0;
  for (; j + 4 * kWidth <= stride; j += 4 * kWidth) {
    update_columns<4>(v, table, stride, j, rows, g);
  }
  for (; j < stride; j += kWidth) update_columns<1>(v, table, stride, j, rows, g);
  return sum_of(loss);
}

void merge_body(float* base, std::span<const float* const> copies, float factor, Index stride) {
  const Vector f = hn::Set(kTag, factor);
  for (Index j = 0; j < stride; j += kWidth) {
    const Vector old = hn::Load(kTag, base + j);
    Vector change = hn::Zero(kTag);
    for (const float* copy : copies) {
      change = hn::Add(change, hn::Sub(hn::Load(kTag, copy + j), old));
    }
    hn::Store(hn::MulAdd(f, change, old), kTag, base + j);
  }
}

}  // namespace scrl::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scrl::kernels {
HWY_EXPORT(step_body);
HWY_EXPORT(merge_body);

float skipgram_step(float* v, float* table, Index stride, const StepTargets& targets, float lr,
                    bool want_loss) {
  check(stride % kLane == 0 && targets.count <= kMaxTargets, "skipgram_step: ", targets.count,
        " targets and rows of ", stride, " floats; at most ", kMaxTargets, " and a multiple of ",
        kLane, " are allowed");
  return SCRL_DISPATCH(step_body)(v, table, stride, targets, lr, want_loss);
}

void skipgram_merge(float* base, std::span<const float* const> copies, float factor, Index stride) {
  SCRL_DISPATCH(merge_body)(base, copies, factor, stride);
}

}  // namespace scrl::kernels
#endif  // HWY_ONCE
