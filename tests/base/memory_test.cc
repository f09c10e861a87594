#include "base/memory.h"

#include <gtest/gtest.h>
#include <sys/resource.h>

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

#ifndef __SANITIZE_ADDRESS__  // which takes terabytes of address space for itself
TEST(MemoryTest, ALimitOfAddressSpaceCounts) {
  rlimit before = {};
  ASSERT_EQ(getrlimit(RLIMIT_AS, &before), 0);
  rlimit small = before;
  small.rlim_cur = rlim_t{2} << 30;
  ASSERT_EQ(setrlimit(RLIMIT_AS, &small), 0);
  const Index available = available_memory();
  ASSERT_EQ(setrlimit(RLIMIT_AS, &before), 0);
  EXPECT_LT(available, Index{2} << 30);
  EXPECT_GT(available, 0);
}
#endif

}  // namespace
}  // namespace scrl
