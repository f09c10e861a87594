// One step of Adam (Kingma & Ba, ICLR 2015) in one pass over the four arrays, in the order of
// operations of torch.optim.Adam: the second moment is corrected after its square root.
#include <cmath>

#include "kernels/entry.h"
#include "kernels/kernels.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/adam.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace scrl::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

void adam_range(const AdamStep& s, const float* grad, float* w, float* m, float* v, Index begin,
                Index end) {
  constexpr hn::CappedTag<float, kLane> d{};
  const auto set = [d](double value) HWY_ATTR { return hn::Set(d, static_cast<float>(value)); };
  const auto decay = set(s.weight_decay), epsilon = set(s.epsilon);
  const auto keep2 = set(s.beta2), take1 = set(1.0 - s.beta1), take2 = set(1.0 - s.beta2);
  const auto root = set(std::sqrt(s.correction2)), rate = set(s.lr / s.correction1);
  for (Index at = begin; at < end; at += static_cast<Index>(MaxLanes(d))) {
    const auto weight = hn::Load(d, w + at);
    const auto g = hn::MulAdd(decay, weight, hn::Load(d, grad + at));
    const auto first = hn::Load(d, m + at);
    const auto new_m = hn::MulAdd(take1, hn::Sub(g, first), first);
    const auto new_v = hn::MulAdd(hn::Mul(take2, g), g, hn::Mul(keep2, hn::Load(d, v + at)));
    const auto divisor = hn::Add(hn::Div(hn::Sqrt(new_v), root), epsilon);
    hn::Store(new_m, d, m + at);
    hn::Store(new_v, d, v + at);
    hn::Store(hn::NegMulAdd(rate, hn::Div(new_m, divisor), weight), d, w + at);
  }
}

}  // namespace scrl::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scrl::kernels {
HWY_EXPORT(adam_range);

void adam(const AdamStep& step, const Matrix& grad, Matrix& w, Matrix& m, Matrix& v) {
  check_same_shape("adam", "grad", grad, "w", w);
  check_same_shape("adam", "grad", grad, "m", m);
  check_same_shape("adam", "grad", grad, "v", v);
  check_same_layout("adam", grad, w);
  check_same_layout("adam", grad, m);
  check_same_layout("adam", grad, v);
  // Padding is 0 / (0 + epsilon) and must stay zero.
  check(static_cast<float>(step.epsilon) > 0.0f, "adam: epsilon must be above 0, got ",
        step.epsilon);
  check(step.correction1 > 0.0 && step.correction2 > 0.0, "adam: corrections must be above 0, got ",
        step.correction1, " and ", step.correction2);
  constexpr Index kFloatsPerChunk = 16 * 1024;  // a multiple of kLane
  const auto body = SCRL_DISPATCH(adam_range);
  parallel_for(grad.size(), kFloatsPerChunk, [&](Index begin, Index end) {
    body(step, grad.data(), w.data(), m.data(), v.data(), begin, end);
  });
}

}  // namespace scrl::kernels
#endif  // HWY_ONCE
