// kernels/block_dots.h: many dot products at once.
#pragma once
#include <span>

#include "base/types.h"

namespace scrl::kernels {

inline constexpr Index kDotBlock = 64;
// Of one sparse row (columns, values) with kDotBlock dense rows that lie side by side,
// block[column * kDotBlock + r]: fills dots[r], and tells whether any dots[r] * scale exceeds
// threshold[r]. Multiply and add stay separate, so the sums are the same on every instruction set.
// REQUIRES: block, threshold and dots are 64-byte aligned.
bool block_dots(std::span<const NodeId> columns, std::span<const float> values, const float* block,
                float scale, const float* threshold, float* dots);

}  // namespace scrl::kernels
