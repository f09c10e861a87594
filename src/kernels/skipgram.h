// kernels/skipgram.h: one vector against a few rows of a table.
#pragma once
#include <cstdint>
#include <span>

#include "tensor/matrix.h"

namespace scrl::kernels {

// Which rows a step looks at. A row that several pairs look at is there once, with the number of
// pairs and of those among them that want it positive.
inline constexpr Index kMaxTargets = 256;
struct StepTargets {
  alignas(64) float positive[kMaxTargets] = {};
  alignas(64) float total[kMaxTargets] = {};
  std::uint32_t row[kMaxTargets] = {};
  std::uint32_t count = 0;
};
// A step of stochastic gradient descent for the vector v and the rows w_k of `table`, `stride`
// floats apart, on sum_k -positive_k log sigma(v . w_k) - (total_k - positive_k) log sigma(-v .
// w_k):
//   g_k = lr (positive_k - total_k sigma(v . w_k)), all before any change; then k by k
//   e += g_k w_k,  w_k += g_k v;  and last v += e
// Returns the loss before the step if `want_loss`, else 0. sigma is exact but for v . w_k taken as
// -80 or 80 beyond that. One thread: the caller decides who owns what.
// REQUIRES: v and table are 64-byte aligned, stride is a multiple of kLane, v is none of the rows.
float skipgram_step(float* v, float* table, Index stride, const StepTargets& targets, float lr,
                    bool want_loss);
// base += factor * sum_k (copies[k] - base), a row of `stride` floats; aligned as above.
void skipgram_merge(float* base, std::span<const float* const> copies, float factor, Index stride);

}  // namespace scrl::kernels
