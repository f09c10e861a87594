#include "kernels/simd.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>

#include "base/error.h"

namespace scrl::kernels {
namespace {

TEST(SimdTest, ScalarIsAlwaysThere) {
  EXPECT_THAT(simd_levels(), ::testing::Contains("scalar"));
  EXPECT_THAT(simd_levels(), ::testing::IsSupersetOf({simd_level()}));
}

TEST(SimdTest, AForcedLevelReallyRuns) {
  const std::string before = simd_level();
  for (const auto& level : simd_levels()) {
    set_simd_level(level);
    EXPECT_EQ(simd_level(), level);  // answered by a kernel compiled for it
  }
  set_simd_level(before);
}

TEST(SimdTest, UnknownLevelNamesTheValidOnes) {
  try {
    set_simd_level("mmx");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kUsage);
    EXPECT_THAT(error.what(), ::testing::HasSubstr("\"mmx\""));
    for (const auto& level : simd_levels()) {
      EXPECT_THAT(error.what(), ::testing::HasSubstr(level));
    }
  }
}

// The variable is read once, so each value needs a process of its own.
using SimdDeathTest = ::testing::Test;

[[noreturn]] void exit_with_level(const char* wanted) {
  try {
    setenv("SCRL_SIMD", wanted, 1);
    apply_simd_environment();
    _exit(simd_level() == wanted ? 0 : 1);
  } catch (const Error& error) {
    fprintf(stderr, "%s\n", error.what());
    _exit(static_cast<int>(error.kind()));
  }
}

TEST(SimdDeathTest, EnvironmentForcesALevel) {
  for (const auto& level : simd_levels()) {
    EXPECT_EXIT(exit_with_level(level.c_str()), ::testing::ExitedWithCode(0), "");
  }
  EXPECT_EXIT(exit_with_level("avx9"), ::testing::ExitedWithCode(2), "SCRL_SIMD: expected.*scalar");
}

}  // namespace
}  // namespace scrl::kernels
