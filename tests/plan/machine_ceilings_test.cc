#include "plan/machine_ceilings.h"

#include "support/every_level.h"

namespace scrl {
namespace {

TEST(MachineCeilingsTest, EveryFigureIsAPositiveRate) {
  const MachineCeilings peaks = measure_ceilings(1 << 20);
  for (const double rate : {peaks.flops, peaks.memory_bytes, peaks.gather_bytes}) {
    EXPECT_TRUE(std::isfinite(rate));
    EXPECT_GT(rate, 1e6);
  }
}

// The arithmetic is measured with the instructions in use: wide ones do eight times as much at a
// time. The best of several measurements counts, so that who shares the machine does not matter.
TEST(MachineCeilingsTest, WiderVectorsComputeFaster) {
  const auto levels = kernels::simd_levels();
  if (std::find(levels.begin(), levels.end(), "avx2") == levels.end()) {
    GTEST_SKIP() << "this CPU has no avx2";
  }
  const auto flops = [](const char* level) {
    kernels::set_simd_level(level);
    return measure_ceilings(1 << 20).flops;
  };
  double narrow = 0, wide = 0;
  for (int round = 0; round < 5; ++round) {
    narrow = std::max(narrow, flops("scalar"));
    wide = std::max(wide, flops("avx2"));
  }
  kernels::set_simd_level(levels.back());
  EXPECT_LT(narrow, wide);
}

}  // namespace
}  // namespace scrl
