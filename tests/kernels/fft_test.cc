#include "kernels/reference.h"
#include "support/every_level.h"

namespace scrl {
namespace {

using FftTest = EveryLevel;
SCRL_EVERY_LEVEL(FftTest);

using Numbers = std::vector<float, AlignedAllocator<float>>;

Numbers random_numbers(Index count, std::uint64_t seed) {
  Numbers out(static_cast<std::size_t>(count));
  const Rng rng(seed);
  for (Index k = 0; k < count; ++k) out[k] = 2 * rng.uniform_at(static_cast<std::uint64_t>(k)) - 1;
  return out;
}

TEST_P(FftTest, EqualsTheReference) {
  for (const Index size : {1, 2, 3, 4, 6, 8, 9, 12, 16, 27, 32, 48, 54, 96, 108, 128, 144}) {
    SCOPED_TRACE(size);
    Numbers re = random_numbers(size * kLane, 1), im = random_numbers(size * kLane, 2);
    Numbers expected_re = re, expected_im = im;
    kernels::fft(kernels::fft_plan(size), re.data(), im.data());
    reference::fft(size, expected_re.data(), expected_im.data());
    for (std::size_t k = 0; k < re.size(); ++k) {
      ASSERT_NEAR(re[k], expected_re[k], 2e-5) << k;
      ASSERT_NEAR(im[k], expected_im[k], 2e-5) << k;
    }
  }
}

TEST_P(FftTest, ExchangedPartsGiveTheInverse) {
  const Index size = 1152;
  const Numbers re = random_numbers(size * kLane, 3), im = random_numbers(size * kLane, 4);
  Numbers a = re, b = im;
  const kernels::FftPlan plan = kernels::fft_plan(size);
  kernels::fft(plan, a.data(), b.data());
  kernels::fft(plan, b.data(), a.data());
  for (std::size_t k = 0; k < re.size(); ++k) {
    ASSERT_NEAR(a[k] / static_cast<float>(size), re[k], 2e-6) << k;
    ASSERT_NEAR(b[k] / static_cast<float>(size), im[k], 2e-6) << k;
  }
}

TEST_P(FftTest, SizesAreProductsOfTwosAndThrees) {
  EXPECT_EQ(kernels::fft_size(0), 1);
  EXPECT_EQ(kernels::fft_size(5), 6);
  EXPECT_EQ(kernels::fft_size(96), 96);
  EXPECT_EQ(kernels::fft_size(1025), 1152);
  expect_error([] { kernels::fft_plan(10); }, {"fft", "twos and threes", "10"});
  expect_error([] { kernels::fft_plan(0); }, {"fft", "got 0"});
}

}  // namespace
}  // namespace scrl
