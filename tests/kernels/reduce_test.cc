#include "kernels/reference.h"
#include "support/every_level.h"

namespace scrl {
namespace {

using ReduceTest = EveryLevel;
SCRL_EVERY_LEVEL(ReduceTest);

TEST_P(ReduceTest, SumsEqualTheReference) {
  for (const Index h : kWidths) {
    for (const Index n : {0, 1, 5, 3000}) {
      for (const bool accumulate : {false, true}) {
        SCOPED_TRACE(cat("h=", h, " n=", n, " accumulate=", accumulate));
        const Matrix x = random_matrix(n, h, 1), y = random_matrix(n, h, 2);
        Matrix out = random_matrix(1, h, 3), expected = out;
        kernels::column_sums(x, out, accumulate);
        reference::column_sums(x, expected, accumulate);
        expect_near(out, expected, 1e-6);
        expect_zero_padding(out);
        EXPECT_NEAR(kernels::dot(x, y), reference::dot(x, y), 1e-10);
      }
    }
  }
}

TEST_P(ReduceTest, OneBadElementIsFound) {
  for (const float bad : {NAN, INFINITY, -INFINITY}) {
    Matrix x = random_matrix(900, 70, 4, -1e38f, 1e38f);
    EXPECT_TRUE(kernels::all_finite(x));
    x(899, 69) = bad;
    EXPECT_FALSE(kernels::all_finite(x));
  }
  EXPECT_TRUE(kernels::all_finite(Matrix(0, 3)));
}

TEST_P(ReduceTest, PanelsHaveTheSameSums) {
  for (const Index h : {10, 33, 130}) {
    SCOPED_TRACE(h);
    const Matrix x = random_matrix(700, h, 6), y = random_matrix(700, h, 7);
    Matrix x_in_panels = in_layout(x, Layout::kPanels);
    const Matrix y_in_panels = in_layout(y, Layout::kPanels);
    Matrix sums(1, h), other(1, h);
    kernels::column_sums(x, sums);
    kernels::column_sums(x_in_panels, other);
    expect_near(other, sums, 1e-6);
    EXPECT_NEAR(kernels::dot(x_in_panels, y_in_panels), kernels::dot(x, y), 1e-9);
    if (h > kPanel) {
      expect_error([&] { kernels::dot(x, y_in_panels); }, {"dot", "panels", "rows"});
    }
    EXPECT_TRUE(kernels::all_finite(x_in_panels));
    x_in_panels(699, h - 1) = NAN;
    EXPECT_FALSE(kernels::all_finite(x_in_panels));
  }
}

TEST_P(ReduceTest, ThreadsDoNotChangeTheBits) {
  const Matrix x = random_matrix(20000, 40, 5);
  expect_thread_independent([&] {
    Matrix out(1, 40);
    kernels::column_sums(x, out);
    out(0, 0) = static_cast<float>(kernels::dot(x, x));
    return out;
  });
  set_threads(1);
  const double alone = kernels::dot(x, x);
  set_threads(3);
  EXPECT_EQ(kernels::dot(x, x), alone);
}

TEST_P(ReduceTest, ShapeErrorsNameBothShapes) {
  Matrix out(1, 4);
  expect_error([&] { kernels::column_sums(Matrix(2, 3), out); }, {"2x3", "1x3", "1x4"});
  expect_error([&] { kernels::dot(Matrix(2, 3), out); }, {"dot", "2x3", "1x4"});
}

}  // namespace
}  // namespace scrl
