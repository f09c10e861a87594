// Fourier transforms by Stockham's algorithm, kLane sequences at a time.
//
// A step of radix r takes n = r m numbers with stride s to r times the stride:
//   out[q + s (r p + j)] = exp(-2 pi i p j / n) sum_l in[q + s (p + m l)] exp(-2 pi i j l / r)
// for p < m, q < s. Steps go from one buffer to the other, and the result is in order without a
// permutation. Sequences lie side by side, so every load is a whole vector and a factor belongs to
// all of it.
#include "kernels/fft.h"

#include <algorithm>
#include <cmath>

#include "kernels/entry.h"
#include "kernels/targets.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/fft.cc"
#include <hwy/foreach_target.h>  // must come before highway.h
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace scrl::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<float, kLane> kFloat{};
using FloatVector = hn::Vec<decltype(kFloat)>;

struct Complex {
  FloatVector re, im;

  HWY_INLINE Complex operator+(Complex b) const { return {hn::Add(re, b.re), hn::Add(im, b.im)}; }
  HWY_INLINE Complex operator-(Complex b) const { return {hn::Sub(re, b.re), hn::Sub(im, b.im)}; }
  HWY_INLINE Complex times(float c, float s) const {  // (c + i s)
    const auto vc = hn::Set(kFloat, c), vs = hn::Set(kFloat, s);
    return {hn::NegMulAdd(im, vs, hn::Mul(re, vc)), hn::MulAdd(re, vs, hn::Mul(im, vc))};
  }
  HWY_INLINE Complex scaled(float c) const {
    const auto vc = hn::Set(kFloat, c);
    return {hn::Mul(re, vc), hn::Mul(im, vc)};
  }
  HWY_INLINE Complex times_minus_i() const { return {im, hn::Neg(re)}; }
};

struct FftArrays {
  const float *re, *im;
  float *out_re, *out_im;

  HWY_INLINE Complex load(Index at) const {
    return {hn::Load(kFloat, re + at), hn::Load(kFloat, im + at)};
  }
  HWY_INLINE void store(Complex z, Index at) const {
    hn::Store(z.re, kFloat, out_re + at);
    hn::Store(z.im, kFloat, out_im + at);
  }
  HWY_INLINE void store(Complex z, const float* factor, Index at) const {
    store(z.times(factor[0], factor[1]), at);
  }
};

// `factors`: the r - 1 factors of each p, real and imaginary part.
template <int kRadix>
HWY_INLINE void butterflies(const FftArrays& a, Index m, Index s, const float* factors) {
  const Index lanes = static_cast<Index>(hn::MaxLanes(kFloat)), width = s * kLane;
  for (Index p = 0; p < m; ++p, factors += 2 * (kRadix - 1)) {
    const Index in = p * width, step = m * width, out = p * width * kRadix;
    for (Index q = 0; q < width; q += lanes) {
      const Complex x0 = a.load(in + q), x1 = a.load(in + step + q);
      if constexpr (kRadix == 2) {
        a.store(x0 + x1, out + q);
        a.store(x0 - x1, factors, out + width + q);
      } else if constexpr (kRadix == 3) {
        const Complex x2 = a.load(in + 2 * step + q), sum = x1 + x2;
        const Complex half = x0 - sum.scaled(0.5f);
        const Complex turn = (x1 - x2).scaled(0.866025403784438647f).times_minus_i();
        a.store(x0 + sum, out + q);
        a.store(half + turn, factors, out + width + q);
        a.store(half - turn, factors + 2, out + 2 * width + q);
      } else {
        const Complex x2 = a.load(in + 2 * step + q), x3 = a.load(in + 3 * step + q);
        const Complex even = x0 + x2, odd = x1 + x3, left = x0 - x2;
        const Complex right = (x1 - x3).times_minus_i();
        a.store(even + odd, out + q);
        a.store(left + right, factors, out + width + q);
        a.store(even - odd, factors + 2, out + 2 * width + q);
        a.store(left - right, factors + 4, out + 3 * width + q);
      }
    }
  }
}

void fft_step_body(const float* re, const float* im, float* out_re, float* out_im, int radix,
                   Index m, Index s, const float* factors) {
  const FftArrays arrays{re, im, out_re, out_im};
  if (radix == 4) {
    butterflies<4>(arrays, m, s, factors);
  } else if (radix == 3) {
    butterflies<3>(arrays, m, s, factors);
  } else {
    butterflies<2>(arrays, m, s, factors);
  }
}

}  // namespace scrl::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace scrl::kernels {
namespace {

struct FftBuffer;

// Without the factors 2 and 3; 1: none other is left.
Index other_factors(Index n) {
  while (n % 2 == 0) n /= 2;
  while (n % 3 == 0) n /= 3;
  return n;
}

}  // namespace
HWY_EXPORT(fft_step_body);

Index fft_size(Index at_least) {
  Index n = std::max<Index>(1, at_least);
  while (other_factors(n) != 1) ++n;
  return n;
}

FftPlan fft_plan(Index size) {
  check(size >= 1 && other_factors(size) == 1,
        "fft: expected a size that is a product of twos and threes, got ", size);
  FftPlan plan;
  plan.size = size;
  for (Index n = size; n > 1;) {
    const int radix = n % 4 == 0 ? 4 : n % 2 == 0 ? 2 : 3;
    plan.radix.push_back(radix);
    for (Index p = 0; p < n / radix; ++p) {
      for (Index j = 1; j < radix; ++j) {
        const double angle = -2 * M_PI * static_cast<double>(p * j) / static_cast<double>(n);
        plan.factors.push_back(static_cast<float>(std::cos(angle)));
        plan.factors.push_back(static_cast<float>(std::sin(angle)));
      }
    }
    n /= radix;
  }
  return plan;
}

void fft(const FftPlan& plan, float* re, float* im) {
  const Index floats = plan.size * kLane;
  float* const spare = scratch<float, FftBuffer>(2 * floats);
  float *from_re = re, *from_im = im, *to_re = spare, *to_im = spare + floats;
  const float* factors = plan.factors.data();
  const auto step = SCRL_DISPATCH(fft_step_body);
  Index n = plan.size, s = 1;
  for (const int radix : plan.radix) {
    const Index m = n / radix;
    step(from_re, from_im, to_re, to_im, radix, m, s, factors);
    factors += 2 * (radix - 1) * m;
    std::swap(from_re, to_re);
    std::swap(from_im, to_im);
    n = m, s *= radix;
  }
  if (from_re == re) return;
  std::copy_n(from_re, floats, re);
  std::copy_n(from_im, floats, im);
}

}  // namespace scrl::kernels
#endif  // HWY_ONCE
