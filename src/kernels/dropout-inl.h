// kernels/dropout-inl.h: Philox4x32-10 in vectors. Compiled once per instruction set by the sources
// that include it; the layout is that of dropout.h and must agree with Rng::at bit for bit.

// The guard flips with every instruction set, hence no #pragma once.
#if defined(SCRL_KERNELS_DROPOUT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef SCRL_KERNELS_DROPOUT_INL
#undef SCRL_KERNELS_DROPOUT_INL
#else
#define SCRL_KERNELS_DROPOUT_INL
#endif

#include <hwy/highway.h>

#include "kernels/dropout.h"

HWY_BEFORE_NAMESPACE();
namespace scrl::kernels::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using DropoutTag = hn::CappedTag<float, 16>;

// mask: 16-bit numbers in `bits` that are not below the threshold
template <class V32>
HWY_INLINE hn::Mask<DropoutTag> kept(V32 bits, std::uint32_t threshold) {
  const hn::RebindToSigned<hn::DFromV<V32>> di;
  const auto below = hn::Set(di, static_cast<std::int32_t>(threshold) - 1);
  return hn::RebindMask(DropoutTag(), hn::Gt(hn::BitCast(di, bits), below));
}

#if HWY_TARGET == HWY_SCALAR

// Calls use(offset, mask) for each vector of the first `planes` * 16 elements of a group.
template <class Use>
HWY_INLINE void for_kept(const Rng& rng, std::uint32_t threshold, std::uint64_t first_block,
                         Index planes, const Use& use) {
  const hn::Rebind<std::uint32_t, DropoutTag> du;
  for (Index lane = 0; lane < kDropoutBlocks; ++lane) {
    const Philox4 block = rng.at(first_block + static_cast<std::uint64_t>(lane));
    for (Index plane = 0; plane < planes; ++plane) {
      const std::uint32_t word = block[static_cast<std::size_t>(plane / 2)];
      use(plane * 16 + lane, kept(hn::Set(du, word >> (plane % 2 * 16) & 0xFFFFu), threshold));
    }
  }
}

#else

// The blocks of every other lane, each word in the low half of 64 bits, where the widening multiply
// reads it. High halves hold rubbish that nobody reads.
template <class V64>
struct PhiloxLanes {
  V64 c0, c1, c2, c3;
};

template <class V64>
HWY_INLINE PhiloxLanes<V64> philox_round(PhiloxLanes<V64> c, V64 k0, V64 k1) {
  const hn::DFromV<V64> d64;
  const hn::Repartition<std::uint32_t, decltype(d64)> d32;
  const auto p0 = hn::MulEven(hn::BitCast(d32, c.c0), hn::Set(d32, kPhiloxM0));
  const auto p1 = hn::MulEven(hn::BitCast(d32, c.c2), hn::Set(d32, kPhiloxM1));
  return {hn::Xor(hn::Xor(hn::ShiftRight<32>(p1), c.c1), k0), p1,
          hn::Xor(hn::Xor(hn::ShiftRight<32>(p0), c.c3), k1), p0};
}

// Calls use(offset, mask) for each vector of the first `planes` * 16 elements of a group.
template <class Use>
HWY_INLINE void for_kept(const Rng& rng, std::uint32_t threshold, std::uint64_t first_block,
                         Index planes, const Use& use) {
  const hn::Rebind<std::uint32_t, DropoutTag> d32;
  const hn::Repartition<std::uint64_t, decltype(d32)> d64;
  using V64 = hn::Vec<decltype(d64)>;
  constexpr Index kWidth = static_cast<Index>(MaxLanes(DropoutTag()));
  const auto lane_pairs = hn::ShiftLeft<1>(hn::Iota(d64, 0));
  // first_block is a multiple of 16: adding a lane never carries into the high word.
  const std::uint64_t low = first_block & 0xFFFFFFFFu, high = first_block >> 32;
  for (Index part = 0; part < kDropoutBlocks; part += kWidth) {
    const V64 first = hn::Add(hn::Set(d64, low + static_cast<std::uint64_t>(part)), lane_pairs);
    PhiloxLanes<V64> even = {first, hn::Set(d64, high), hn::Set(d64, rng.epoch()),
                             hn::Set(d64, rng.tag())};
    PhiloxLanes<V64> odd = even;
    odd.c0 = hn::Add(first, hn::Set(d64, 1));
    V64 k0 = hn::Set(d64, rng.key0()), k1 = hn::Set(d64, rng.key1());
    for (int round = 0; round < 10; ++round) {
      even = philox_round(even, k0, k1);
      odd = philox_round(odd, k0, k1);
      k0 = hn::Add(k0, hn::Set(d64, kPhiloxW0));
      k1 = hn::Add(k1, hn::Set(d64, kPhiloxW1));
    }
    const auto word = [&](V64 e, V64 o) HWY_ATTR {
      return hn::OddEven(hn::BitCast(d32, hn::ShiftLeft<32>(o)), hn::BitCast(d32, e));
    };
    const hn::Vec<decltype(d32)> words[4] = {word(even.c0, odd.c0), word(even.c1, odd.c1),
                                             word(even.c2, odd.c2), word(even.c3, odd.c3)};
    const auto low_half = hn::Set(d32, 0xFFFFu);
    for (Index plane = 0; plane < planes; plane += 2) {
      const auto both = words[plane / 2];
      use(plane * 16 + part, kept(hn::And(both, low_half), threshold));
      if (plane + 1 < planes) {
        use(plane * 16 + 16 + part, kept(hn::ShiftRight<16>(both), threshold));
      }
    }
  }
}

#endif  // HWY_SCALAR

}  // namespace scrl::kernels::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif  // SCRL_KERNELS_DROPOUT_INL
