#include "kernels/dropout.h"

#include "kernels/reference.h"
#include "support/every_level.h"

namespace scrl {
namespace {

using DropoutTest = EveryLevel;
SCRL_EVERY_LEVEL(DropoutTest);

// The layout promised in dropout.h, spelled out once more by hand.
TEST(DropoutLayoutTest, BitsComeFromTheDocumentedBlock) {
  const Rng rng(11, Purpose::kDropout, 3, 4);
  const auto low = [](std::uint32_t w) { return w & 0xFFFFu; };
  EXPECT_EQ(kernels::dropout_bits(rng, 300, 0, 0), low(rng.at(0)[0]));
  EXPECT_EQ(kernels::dropout_bits(rng, 300, 0, 5), low(rng.at(5)[0]));
  EXPECT_EQ(kernels::dropout_bits(rng, 300, 0, 16), rng.at(0)[0] >> 16);
  EXPECT_EQ(kernels::dropout_bits(rng, 300, 0, 127), rng.at(15)[3] >> 16);
  EXPECT_EQ(kernels::dropout_bits(rng, 300, 0, 128 + 33), low(rng.at(17)[1]));
  EXPECT_EQ(kernels::dropout_bits(rng, 300, 2, 0), low(rng.at(2 * 3 * 16)[0]));
}

TEST_P(DropoutTest, EqualsTheScalarBits) {
  const Rng rng(0x123456789ABCDEFull, Purpose::kDropout, 7, 42);
  for (const Index h : kWidths) {
    for (const float p : {0.0f, 0.1f, 0.5f, 0.9f, 0.99999f}) {
      for (const bool accumulate : {false, true}) {
        SCOPED_TRACE(cat("h=", h, " p=", p, " accumulate=", accumulate));
        const Matrix x = random_matrix(19, h, 1);
        Matrix out = random_matrix(19, h, 2), expected = out;
        kernels::dropout(x, p, rng, out, accumulate);
        reference::dropout(x, p, rng, expected, accumulate);
        EXPECT_TRUE(same_bytes(out, expected));
      }
    }
  }
}

TEST_P(DropoutTest, FlatArraysOfAnyLength) {
  const Rng rng(8, Purpose::kDropout, 1, 3);
  for (const Index size : {0, 1, 15, 16, 17, 127, 128, 129, 1000, 40000}) {
    SCOPED_TRACE(size);
    const Matrix x = random_matrix(1, size, 3);
    std::vector<float> out(static_cast<std::size_t>(size)), expected(out.size());
    kernels::dropout(x.row_span(0), 0.4f, rng, out);
    reference::dropout(x.row_span(0), 0.4f, rng, expected);
    EXPECT_EQ(out, expected);
    std::vector<float> shifted(out.size() + 1);  // not aligned
    kernels::dropout(x.row_span(0), 0.4f, rng, std::span(shifted).subspan(1));
    EXPECT_TRUE(std::equal(out.begin(), out.end(), shifted.begin() + 1));
  }
}

TEST_P(DropoutTest, PartsOfAFlatArrayAreThoseOfTheWhole) {
  const Rng rng(5, Purpose::kDropout, 2, 9);
  constexpr Index kSize = 1000;
  const Matrix x = random_matrix(1, kSize, 3);
  const std::span<const float> values(x.row(0), kSize);
  std::vector<float> whole(kSize), parts(kSize);
  kernels::dropout(values, 0.3f, rng, whole);
  for (const auto& [begin, end] : {std::pair{0, 256}, {256, 384}, {384, 1000}})
    kernels::dropout_part(values.subspan(begin, end - begin), begin, 0.3f, rng,
                          std::span(parts).subspan(begin, end - begin));
  EXPECT_EQ(parts, whole);
  EXPECT_THROW(kernels::dropout_part(values.first(5), 7, 0.3f, rng, std::span(parts).first(5)),
               Error);
}

TEST_P(DropoutTest, RateAndScale) {
  Matrix ones(1000, 100), out(1000, 100);
  ones.fill(1.0f);
  for (const float p : {0.0f, 0.25f, 0.5f, 0.8f}) {
    kernels::dropout(ones, p, Rng(1), out);
    Index kept = 0;
    for (Index i = 0; i < out.rows(); ++i) {
      for (const float v : out.row_span(i)) {
        ASSERT_TRUE(v == 0.0f || v == 1.0f / (1.0f - p)) << v;
        kept += v != 0.0f;
      }
    }
    const double n = 1e5, sigma = std::sqrt(n * p * (1 - p));
    EXPECT_NEAR(static_cast<double>(kept), n * (1 - p), 5 * sigma);
    expect_zero_padding(out);
  }
}

TEST_P(DropoutTest, ThreadsDoNotChangeTheBits) {
  const Matrix x = random_matrix(2000, 200, 5);
  expect_thread_independent([&] {
    Matrix out(2000, 200);
    kernels::dropout(x, 0.5f, Rng(2), out);
    return out;
  });
}

TEST_P(DropoutTest, BadRatesAndShapes) {
  Matrix x(2, 3), out(3, 2);
  for (const float p : {-0.1f, 1.0f, 2.0f, NAN}) {
    expect_error([&] { kernels::dropout(x, p, Rng(1), x); }, {"dropout", "[0, 1)"});
  }
  expect_error([&] { kernels::dropout(x, 0.5f, Rng(1), out); }, {"dropout", "2x3", "3x2"});
  std::vector<float> a(3), b(4);
  expect_error([&] { kernels::dropout(std::span<const float>(a), 0.5f, Rng(1), b); }, {"3", "4"});
}

}  // namespace
}  // namespace scrl
