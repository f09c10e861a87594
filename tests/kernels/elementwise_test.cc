#include "kernels/reference.h"
#include "support/every_level.h"

namespace scrl {
namespace {

using ElementwiseTest = EveryLevel;
SCRL_EVERY_LEVEL(ElementwiseTest);

TEST_P(ElementwiseTest, ScaleEqualsTheReference) {
  for (const Index h : kWidths) {
    for (const bool accumulate : {false, true}) {
      SCOPED_TRACE(cat("h=", h, " accumulate=", accumulate));
      const Matrix x = random_matrix(20, h, 1);
      Matrix y = random_matrix(20, h, 2), expected = y;
      kernels::scale(-1.7f, x, y, accumulate);
      reference::scale(-1.7f, x, expected, accumulate);
      expect_near(y, expected, 2e-7);
      expect_zero_padding(y);
    }
  }
}

TEST_P(ElementwiseTest, LayoutsDoNotChangeTheBitsAndDoNotMix) {
  for (const Index h : {10, 40}) {
    const Matrix x = random_matrix(20, h, 5);
    Matrix y = random_matrix(20, h, 6), y_in_panels = in_layout(y, Layout::kPanels);
    const Matrix x_in_panels = in_layout(x, Layout::kPanels);
    kernels::scale(0.7f, x, y, true);
    kernels::scale(0.7f, x_in_panels, y_in_panels, true);
    expect_same_bits(y_in_panels, y);
    if (h > kPanel) {
      expect_error([&] { kernels::scale(1.0f, x, y_in_panels); }, {"scale", "panels", "rows"});
      expect_error([&] { kernels::scale(1.0f, x_in_panels, y); }, {"scale", "panels", "rows"});
    } else {  // one panel is the same as rows
      kernels::scale(1.0f, x_in_panels, y);
      EXPECT_EQ(y.packed(), x.packed());
    }
  }
}

TEST_P(ElementwiseTest, ThreadsNoRowsAndWrongShapes) {
  const Matrix x = random_matrix(3000, 50, 3);
  expect_thread_independent([&] {
    Matrix y = random_matrix(3000, 50, 4);
    kernels::scale(0.3f, x, y, true);
    return y;
  });
  Matrix none(0, 3), y(2, 3);
  kernels::scale(2.0f, none, none);
  expect_error([&] { kernels::scale(1.0f, x, y); }, {"scale", "3000x50", "2x3"});
}

}  // namespace
}  // namespace scrl
