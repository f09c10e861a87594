// Six rows of A at a time against two vectors of B: twelve sums stay in registers.
#include "kernels/panel_product.h"

#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/panel_product.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace scrl::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<double, kDoublePanel / 2> kDouble{};
using DoubleVector = hn::Vec<decltype(kDouble)>;

// Row `r` of a block: two vectors of sums.
struct PanelSums {
  DoubleVector left, right;

  HWY_INLINE void start(const double* c, bool accumulate) {
    left = accumulate ? hn::LoadU(kDouble, c) : hn::Zero(kDouble);
    right = accumulate ? hn::LoadU(kDouble, c + hn::MaxLanes(kDouble)) : hn::Zero(kDouble);
  }
  HWY_INLINE void add(double a, DoubleVector b0, DoubleVector b1) {
    const auto factor = hn::Set(kDouble, a);
    left = hn::MulAdd(factor, b0, left);
    right = hn::MulAdd(factor, b1, right);
  }
  HWY_INLINE void store(double* c) const {
    hn::StoreU(left, kDouble, c);
    hn::StoreU(right, kDouble, c + hn::MaxLanes(kDouble));
  }
};

void panel_product_body(const double* a, Index row_step, Index step, Index m, Index k,
                        const double* b, double* c, bool accumulate) {
  constexpr Index kRows = 6;
  const Index lanes = static_cast<Index>(hn::MaxLanes(kDouble));
  for (Index j = 0; j < kDoublePanel; j += 2 * lanes) {
    Index i = 0;
    for (; i + kRows <= m; i += kRows) {
      const double* rows = a + i * row_step;
      double* out = c + i * kDoublePanel + j;
      PanelSums s0, s1, s2, s3, s4, s5;
      s0.start(out, accumulate);
      s1.start(out + kDoublePanel, accumulate);
      s2.start(out + 2 * kDoublePanel, accumulate);
      s3.start(out + 3 * kDoublePanel, accumulate);
      s4.start(out + 4 * kDoublePanel, accumulate);
      s5.start(out + 5 * kDoublePanel, accumulate);
      for (Index l = 0; l < k; ++l) {
        const double* from = rows + l * step;
        const auto b0 = hn::LoadU(kDouble, b + l * kDoublePanel + j);
        const auto b1 = hn::LoadU(kDouble, b + l * kDoublePanel + j + lanes);
        s0.add(from[0], b0, b1);
        s1.add(from[row_step], b0, b1);
        s2.add(from[2 * row_step], b0, b1);
        s3.add(from[3 * row_step], b0, b1);
        s4.add(from[4 * row_step], b0, b1);
        s5.add(from[5 * row_step], b0, b1);
      }
      s0.store(out);
      s1.store(out + kDoublePanel);
      s2.store(out + 2 * kDoublePanel);
      s3.store(out + 3 * kDoublePanel);
      s4.store(out + 4 * kDoublePanel);
      s5.store(out + 5 * kDoublePanel);
    }
    for (; i < m; ++i) {
      PanelSums sums;
      sums.start(c + i * kDoublePanel + j, accumulate);
      for (Index l = 0; l < k; ++l) {
        sums.add(a[i * row_step + l * step], hn::LoadU(kDouble, b + l * kDoublePanel + j),
                 hn::LoadU(kDouble, b + l * kDoublePanel + j + lanes));
      }
      sums.store(c + i * kDoublePanel + j);
    }
  }
}

}  // namespace scrl::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scrl::kernels {
HWY_EXPORT(panel_product_body);

void panel_product(const double* a, Index row_step, Index step, Index m, Index k, const double* b,
                   double* c, bool accumulate) {
  SCRL_DISPATCH(panel_product_body)(a, row_step, step, m, k, b, c, accumulate);
}

}  // namespace scrl::kernels
#endif  // HWY_ONCE
