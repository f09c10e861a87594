#include "embedding2d/grid_convolution.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "base/parallel.h"
#include "support/clouds.h"
#include "support/errors.h"

namespace scrl {
namespace {

const auto weight = [](Index a, Index b) {
  return 1 / (1 + 0.1 * static_cast<double>(a * a + b * b));
};
const auto one = [](double) { return 1.0; };

Matrix filled(const GridConvolution& convolution) {
  Matrix grid(convolution.side(), convolution.columns());
  const Rng rng(9);
  for (Index i = 0; i < convolution.side(); ++i)
    for (Index j = 0; j < convolution.side(); ++j)
      grid(i, j) = rng.uniform_at(static_cast<std::uint64_t>(i * 1000 + j));
  return grid;
}

TEST(GridConvolution, EqualsTheSumOverAllCells) {
  for (const Index at_least : {1, 32, 33, 50}) {
    GridConvolution convolution(at_least, weight, one);
    ASSERT_GE(convolution.side(), at_least);
    ASSERT_GE(convolution.columns(), convolution.side());
    const Matrix in = filled(convolution);
    Matrix out = in;
    convolution.run(out);
    for (Index i = 0; i < in.rows(); i += 5) {
      for (Index j = 0; j < in.rows(); j += 3) {
        double sum = 0;
        for (Index a = 0; a < in.rows(); ++a)
          for (Index b = 0; b < in.rows(); ++b)
            sum += in(a, b) * weight(std::abs(i - a), std::abs(j - b));
        ASSERT_NEAR(out(i, j), sum, 1e-5 * sum) << at_least << ": " << i << "," << j;
      }
    }
  }
}

// Dividing by 1 + cos(u)/2 undoes adding a quarter of both neighbours.
TEST(GridConvolution, DivisorUndoesASmoothing) {
  const auto point = [](Index a, Index b) {
    const double along[] = {1, 0.25}, x = a < 2 ? along[a] : 0, y = b < 2 ? along[b] : 0;
    return x * y;
  };
  GridConvolution convolution(40, point, [](double u) { return 1 + std::cos(u) / 2; });
  const Matrix in = filled(convolution);
  Matrix out = in;
  convolution.run(out);
  for (Index i = 0; i < in.rows(); ++i)
    for (Index j = 0; j < in.rows(); ++j) ASSERT_NEAR(out(i, j), in(i, j), 1e-5);
}

TEST(GridConvolution, ThreadsDoNotChangeTheBits) {
  set_threads(1);
  GridConvolution convolution(100, weight, one);
  Matrix alone = filled(convolution);
  convolution.run(alone);
  for (const int count : {2, 3}) {
    set_threads(count);
    GridConvolution other(100, weight, one);
    Matrix together = filled(other);
    other.run(together);
    EXPECT_TRUE(same_bits(together, alone)) << count;
  }
  set_threads(0);
}

TEST(GridConvolution, RefusesOtherGrids) {
  GridConvolution convolution(32, weight, one);
  Matrix grid(10, 32);
  EXPECT_THAT(error_of([&] { convolution.run(grid); }, ErrorKind::kRun),
              ::testing::HasSubstr("expected a grid of 32x32 cells, got 10x32"));
}

}  // namespace
}  // namespace scrl
