// One vector multiply and add per stored value serves a whole vector of dense rows.
#include "kernels/block_dots.h"

#include "kernels/reduce.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/block_dots.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace scrl::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

bool block_dots_body(std::span<const NodeId> columns, std::span<const float> values,
                     const float* block, float scale, const float* threshold, float* dots) {
  constexpr hn::CappedTag<float, kLane> d{};
  const Index lanes = static_cast<Index>(MaxLanes(d));
  const auto factor = hn::Set(d, scale);
  bool any = false;
  for (Index r = 0; r < kDotBlock; r += 4 * lanes) {  // four sums hide each other's latency
    auto sum0 = hn::Zero(d), sum1 = sum0, sum2 = sum0, sum3 = sum0;
    for (std::size_t e = 0; e < columns.size(); ++e) {
      const float* from = block + columns[e] * kDotBlock + r;
      const auto value = hn::Set(d, values[e]);
      sum0 = hn::Add(sum0, hn::Mul(value, hn::Load(d, from)));
      sum1 = hn::Add(sum1, hn::Mul(value, hn::Load(d, from + lanes)));
      sum2 = hn::Add(sum2, hn::Mul(value, hn::Load(d, from + 2 * lanes)));
      sum3 = hn::Add(sum3, hn::Mul(value, hn::Load(d, from + 3 * lanes)));
    }
    const auto above = [&](auto sum, Index at) HWY_ATTR {
      hn::Store(sum, d, dots + at);
      return hn::Gt(hn::Mul(sum, factor), hn::Load(d, threshold + at));
    };
    const auto low = hn::Or(above(sum0, r), above(sum1, r + lanes));
    const auto high = hn::Or(above(sum2, r + 2 * lanes), above(sum3, r + 3 * lanes));
    any |= !hn::AllFalse(d, hn::Or(low, high));
  }
  return any;
}

}  // namespace scrl::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scrl::kernels {
HWY_EXPORT(block_dots_body);

bool block_dots(std::span<const NodeId> columns, std::span<const float> values, const float* block,
                float scale, const float* threshold, float* dots) {
  return SCRL_DISPATCH(block_dots_body)(columns, values, block, scale, threshold, dots);
}

}  // namespace scrl::kernels
#endif  // HWY_ONCE
