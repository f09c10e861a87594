#include "base/rng.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace scrl {
namespace {

// Known answers published with Random123 (kat_vectors, philox4x32 10 rounds).
TEST(RngTest, PhiloxMatchesPublishedVectors) {
  EXPECT_EQ(philox({0, 0, 0, 0}, 0, 0), (Philox4{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}));
  EXPECT_EQ(philox({~0u, ~0u, ~0u, ~0u}, ~0u, ~0u),
            (Philox4{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}));
  EXPECT_EQ(philox({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, 0xa4093822, 0x299f31d0),
            (Philox4{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}));
}

TEST(RngTest, DrawsDependOnSeedPurposeStreamAndEpochOnly) {
  const Philox4 a = Rng(7, Purpose::kInit, 3, 5).at(11);
  EXPECT_EQ(a, Rng(7, Purpose::kInit, 3, 5).at(11));
  EXPECT_NE(a, Rng(8, Purpose::kInit, 3, 5).at(11));
  EXPECT_NE(a, Rng(7, Purpose::kSplit, 3, 5).at(11));
  EXPECT_NE(a, Rng(7, Purpose::kInit, 4, 5).at(11));
  EXPECT_NE(a, Rng(7, Purpose::kInit, 3, 6).at(11));
  EXPECT_NE(a, Rng(7, Purpose::kInit, 3, 5).at(12));
  EXPECT_NE(a, Rng(7 + (1ull << 32), Purpose::kInit, 3, 5).at(11));
}

TEST(RngTest, UniformHasTheMomentsOfTheUniformLaw) {
  Rng rng(1);
  const int n = 100000;
  double sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    const double u = rng.uniform();
    ASSERT_GE(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
    squares += u * u;
  }
  EXPECT_NEAR(sum / n, 0.5, 5 * std::sqrt(1 / 12.0 / n));
  EXPECT_NEAR(squares / n, 1 / 3.0, 0.005);
}

TEST(RngTest, NormalHasMeanZeroAndVarianceOne) {
  Rng rng(2);
  const int n = 100000;
  double sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    const double z = rng.normal();
    sum += z;
    squares += z * z;
  }
  EXPECT_NEAR(sum / n, 0.0, 0.02);
  EXPECT_NEAR(squares / n, 1.0, 0.03);
}

TEST(RngTest, ShuffleIsAPermutationAndBelowStaysBelow) {
  Rng rng(3);
  std::vector<int> items(100);
  std::iota(items.begin(), items.end(), 0);
  rng.shuffle(std::span<int>(items));
  EXPECT_FALSE(std::is_sorted(items.begin(), items.end()));
  std::sort(items.begin(), items.end());
  for (int i = 0; i < 100; ++i) EXPECT_EQ(items[i], i);
  std::vector<int> seen(7);
  for (int i = 0; i < 7000; ++i) ++seen.at(rng.below(7));
  for (const int count : seen) EXPECT_NEAR(count, 1000, 150);
}

}  // namespace
}  // namespace scrl
