// kernels/adam-inl.h: one step of Adam (Kingma & Ba, ICLR 2015) on a vector of weights, in the
// order of operations of torch.optim.Adam: the second moment is corrected after its square root.
// Compiled once per instruction set by the sources that include it.

// The guard flips with every instruction set, hence no #pragma once.
#if defined(SCRL_KERNELS_ADAM_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SCRL_KERNELS_ADAM_INL
#undef SCRL_KERNELS_ADAM_INL
#else
#define SCRL_KERNELS_ADAM_INL
#endif

#include <hwy/highway.h>

#include <cmath>

#include "kernels/adam.h"

HWY_BEFORE_NAMESPACE();
namespace scrl::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

class AdamUpdate {
 public:
  static constexpr hn::CappedTag<float, kLane> d{};
  using Vector = hn::Vec<decltype(d)>;

  explicit HWY_INLINE AdamUpdate(const AdamStep& s)
      : decay_(set(s.weight_decay)),
        epsilon_(set(s.epsilon)),
        keep2_(set(s.beta2)),
        take1_(set(1.0 - s.beta1)),
        take2_(set(1.0 - s.beta2)),
        root_(set(std::sqrt(s.correction2))),
        rate_(set(s.lr / s.correction1)) {}

  HWY_INLINE void operator()(Vector grad, float* w, float* m, float* v) const {
    const Vector weight = hn::Load(d, w);
    const Vector g = hn::MulAdd(decay_, weight, grad);
    const Vector first = hn::Load(d, m);
    const Vector new_m = hn::MulAdd(take1_, hn::Sub(g, first), first);
    const Vector new_v = hn::MulAdd(hn::Mul(take2_, g), g, hn::Mul(keep2_, hn::Load(d, v)));
    const Vector divisor = hn::Add(hn::Div(hn::Sqrt(new_v), root_), epsilon_);
    hn::Store(new_m, d, m);
    hn::Store(new_v, d, v);
    hn::Store(hn::NegMulAdd(rate_, hn::Div(new_m, divisor), weight), d, w);
  }

 private:
  static HWY_INLINE Vector set(double value) { return hn::Set(d, static_cast<float>(value)); }
  Vector decay_, epsilon_, keep2_, take1_, take2_, root_, rate_;
};

}  // namespace scrl::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // SCRL_KERNELS_ADAM_INL
