// kernels/simd.h: which instruction set the kernels run on.
//
// Every kernel is compiled for each level and the best one this CPU has is taken. The environment
// variable SCRL_SIMD=<level> forces another. Results are reproducible per level, not across levels:
// fused multiply-add and the width of partial sums change the last bits.
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace scrl::kernels {

// The level in use: "scalar", "sse4", "avx2" or "avx512", told by a kernel compiled for it. Throws
// kUsage when SCRL_SIMD names a level that does not exist or that this CPU lacks, as every kernel
// then does.
std::string simd_level();

// The levels this CPU can run, slowest first.
std::vector<std::string> simd_levels();

// Uses `level` from now on. Not to be called while a kernel runs.
void set_simd_level(std::string_view level);

bool apply_simd_environment();
// Applies SCRL_SIMD once; every kernel calls it before choosing its code.
inline void require_simd() {
  static const bool ready = apply_simd_environment();
  (void)ready;
}

}  // namespace scrl::kernels
