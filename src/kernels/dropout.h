// kernels/dropout.h: which random bits decide about which element.
//
// One Philox block (128 bits, base/rng.h) decides about 8 elements, 16 bits each. The elements of a
// row are taken in groups of 128. Group g of row i uses the 16 blocks
//     rng.at((i * groups_per_row + g) * 16 + lane),   lane = 0 .. 15
// and element j of the row, with lane = j % 16 and plane = j % 128 / 16, the 16 bits
//     word plane / 2 of its block, the low half for an even plane, the high half for an odd one.
// So 16 neighbours come from 16 consecutive blocks, which a vector of any width up to 16 computes
// at once. A flat array is one row. Element (i,j) is kept iff its bits are >= round(p * 2^16).
#pragma once
#include <cmath>
#include <cstdint>
#include <span>

#include "base/error.h"
#include "base/rng.h"
#include "base/types.h"

namespace scrl::kernels {

inline constexpr Index kDropoutGroup = 128;  // elements
inline constexpr Index kDropoutBlocks = 16;  // Philox blocks per group

constexpr Index dropout_groups(Index columns) {
  return (columns + kDropoutGroup - 1) / kDropoutGroup;
}

// The 16 bits of element j of row i in rows of `columns` elements.
constexpr std::uint32_t dropout_bits(const Rng& rng, Index columns, Index i, Index j) {
  const Index group = i * dropout_groups(columns) + j / kDropoutGroup;
  const Index plane = j % kDropoutGroup / kDropoutBlocks;
  const Philox4 block = rng.at(static_cast<std::uint64_t>(group * kDropoutBlocks + j % 16));
  return block[static_cast<std::size_t>(plane / 2)] >> (plane % 2 * 16) & 0xFFFFu;
}

// A rate, ready for use: bits below `threshold` drop, what stays is multiplied by `scale`.
struct DropoutRate {
  std::uint32_t threshold;
  float scale;
};

inline DropoutRate dropout_rate(float p) {
  check(p >= 0.0f && p < 1.0f, "dropout: the rate must be in [0, 1), got ", p);
  return {static_cast<std::uint32_t>(std::lround(static_cast<double>(p) * 65536.0)),
          1.0f / (1.0f - p)};
}

// out = what dropout() of a flat array (kernels/layers.h) gives for its elements from `first` on,
// of which `x` has the values. REQUIRES: `first` is a multiple of kDropoutGroup.
void dropout_part(std::span<const float> x, Index first, float p, const Rng& rng,
                  std::span<float> out);

}  // namespace scrl::kernels
