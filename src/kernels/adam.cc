// Adam in one pass over the four arrays; the arithmetic is in adam-inl.h.
#include "kernels/adam.h"

#include "kernels/entry.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/adam.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

#include "kernels/adam-inl.h"

HWY_BEFORE_NAMESPACE();
namespace scrl::kernels::HWY_NAMESPACE {
void adam_range(const AdamStep& step, const float* grad, float* w, float* m, float* v, Index begin,
                Index end) {
  const AdamUpdate update(step);
  for (Index at = begin; at < end; at += static_cast<Index>(MaxLanes(AdamUpdate::d)))
    update(hn::Load(AdamUpdate::d, grad + at), w + at, m + at, v + at);
}

}  // namespace scrl::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scrl::kernels {
HWY_EXPORT(adam_range);

void check_step(const AdamStep& step) {
  // Padding is 0 / (0 + epsilon) and must stay zero.
  check(static_cast<float>(step.epsilon) > 0.0f, "adam: epsilon must be above 0, got ",
        step.epsilon);
  check(step.correction1 > 0.0 && step.correction2 > 0.0, "adam: corrections must be above 0, got ",
        step.correction1, " and ", step.correction2);
}

void adam(const AdamStep& step, const Matrix& grad, Matrix& w, Matrix& m, Matrix& v) {
  check_same_shape("adam", "grad", grad, "w", w);
  check_same_shape("adam", "grad", grad, "m", m);
  check_same_shape("adam", "grad", grad, "v", v);
  check_same_layout("adam", grad, w);
  check_same_layout("adam", grad, m);
  check_same_layout("adam", grad, v);
  check_step(step);
  constexpr Index kFloatsPerChunk = 16 * 1024;  // a multiple of kLane
  const auto body = SCRL_DISPATCH(adam_range);
  parallel_for(grad.size(), kFloatsPerChunk, [&](Index begin, Index end) {
    body(step, grad.data(), w.data(), m.data(), v.data(), begin, end);
  });
}

}  // namespace scrl::kernels
#endif  // HWY_ONCE
