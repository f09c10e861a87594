// y = a x, and y += a x.
#include "kernels/entry.h"
#include "kernels/reduce.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/elementwise.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace scrl::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void scale_range(float a, const float* x, float* y, bool accumulate, Index begin, Index end) {
  constexpr hn::CappedTag<float, kLane> d{};
  const auto factor = hn::Set(d, a);
  for (Index at = begin; at < end; at += static_cast<Index>(MaxLanes(d))) {
    const auto product = hn::Mul(factor, hn::Load(d, x + at));
    hn::Store(accumulate ? hn::Add(hn::Load(d, y + at), product) : product, d, y + at);
  }
}

}  // namespace scrl::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scrl::kernels {
HWY_EXPORT(scale_range);

void scale(float a, const Matrix& x, Matrix& y, bool accumulate) {
  check_same_shape("scale", "x", x, "y", y);
  check_same_layout("scale", x, y);
  constexpr Index kFloatsPerChunk = 32 * 1024;  // a multiple of kLane
  const auto body = SCRL_DISPATCH(scale_range);
  parallel_for(x.size(), kFloatsPerChunk, [&](Index begin, Index end) {
    body(a, x.data(), y.data(), accumulate, begin, end);
  });
}

}  // namespace scrl::kernels
#endif  // HWY_ONCE
