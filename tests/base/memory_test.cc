#include "base/memory.h"

#include <gtest/gtest.h>

#include <vector>

namespace scrl {
namespace {

TEST(MemoryTest, ThePeakCountsFromTheReset) {
  if (!reset_peak_memory()) GTEST_SKIP() << "/proc/self/clear_refs cannot be written here";
  const Index before = resident_memory();
  constexpr Index kBytes = Index{96} << 20;
  { const std::vector<char> touched(kBytes, 1); }
  EXPECT_GE(peak_memory(), before + kBytes * 9 / 10);
  ASSERT_TRUE(reset_peak_memory());
  EXPECT_LT(peak_memory(), before + kBytes / 2);
  EXPECT_GE(peak_memory(), resident_memory() * 9 / 10);
}

}  // namespace
}  // namespace scrl
