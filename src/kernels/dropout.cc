// out = x with elements dropped; which ones is told in dropout.h.
#include "kernels/dropout.h"

#include <algorithm>

#include "kernels/entry.h"
#include "kernels/layers.h"
#include "kernels/reduce.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/dropout.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "kernels/dropout-inl.h"

HWY_BEFORE_NAMESPACE();
namespace scrl::kernels::HWY_NAMESPACE {

void dropout_rows(const Matrix& x, DropoutRate rate, const Rng& rng, Matrix& out, bool accumulate,
                  Index begin, Index end) {
  const DropoutTag d;
  const auto scale = hn::Set(d, rate.scale);
  const Index groups = dropout_groups(x.cols());
  for (Index i = begin; i < end; ++i) {
    for (Index g = 0; g < groups; ++g) {
      const float* in = x.row(i) + g * kDropoutGroup;
      float* to = out.row(i) + g * kDropoutGroup;
      const Index planes = std::min<Index>(8, (x.stride() - g * kDropoutGroup) / 16);
      for_kept(rng, rate.threshold, static_cast<std::uint64_t>((i * groups + g) * kDropoutBlocks),
               planes, [&](Index at, hn::Mask<DropoutTag> keep) HWY_ATTR {
                 const auto before = accumulate ? hn::Load(d, to + at) : hn::Zero(d);
                 const auto kept_x = hn::IfThenElseZero(keep, hn::Mul(scale, hn::Load(d, in + at)));
                 hn::Store(hn::Add(before, kept_x), d, to + at);
               });
    }
  }
}

// Whole groups of a flat array.
void dropout_groups_flat(const float* x, DropoutRate rate, const Rng& rng, float* out,
                         Index first_group, Index last_group) {
  const DropoutTag d;
  const auto scale = hn::Set(d, rate.scale);
  for (Index g = first_group; g < last_group; ++g) {
    const float* in = x + (g - first_group) * kDropoutGroup;
    float* to = out + (g - first_group) * kDropoutGroup;
    for_kept(rng, rate.threshold, static_cast<std::uint64_t>(g * kDropoutBlocks), 8,
             [&](Index at, hn::Mask<DropoutTag> keep) HWY_ATTR {
               hn::StoreU(hn::IfThenElseZero(keep, hn::Mul(scale, hn::LoadU(d, in + at))), d,
                          to + at);
             });
  }
}

}  // namespace scrl::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scrl::kernels {
HWY_EXPORT(dropout_rows);
HWY_EXPORT(dropout_groups_flat);

void dropout(const Matrix& x, float p, const Rng& rng, Matrix& out, bool accumulate) {
  check_same_shape("dropout", "x", x, "out", out);
  const DropoutRate rate = dropout_rate(p);
  const auto body = SCRL_DISPATCH(dropout_rows);
  parallel_for(x.rows(), row_grain(x),
               [&](Index begin, Index end) { body(x, rate, rng, out, accumulate, begin, end); });
}

void dropout(std::span<const float> x, float p, const Rng& rng, std::span<float> out) {
  dropout_part(x, 0, p, rng, out);
}

void dropout_part(std::span<const float> x, Index first, float p, const Rng& rng,
                  std::span<float> out) {
  check(x.size() == out.size(), "dropout: x has ", x.size(), " values, so out must too, got ",
        out.size());
  check(first % kDropoutGroup == 0, "dropout: a part begins at ", first, ", which is within a ",
        "group of ", kDropoutGroup);
  const Index skipped = first / kDropoutGroup;
  const DropoutRate rate = dropout_rate(p);
  const auto body = SCRL_DISPATCH(dropout_groups_flat);
  const Index size = static_cast<Index>(x.size()), whole = size / kDropoutGroup;
  parallel_for(whole, 128, [&](Index begin, Index end) {
    body(x.data() + begin * kDropoutGroup, rate, rng, out.data() + begin * kDropoutGroup,
         skipped + begin, skipped + end);
  });
  if (const Index rest = size - whole * kDropoutGroup; rest > 0) {
    float group[kDropoutGroup] = {};
    std::copy_n(x.data() + whole * kDropoutGroup, rest, group);
    body(group, rate, rng, group, skipped + whole, skipped + whole + 1);
    std::copy_n(group, rest, out.data() + whole * kDropoutGroup);
  }
}

}  // namespace scrl::kernels
#endif  // HWY_ONCE
