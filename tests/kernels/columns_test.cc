#include "kernels/reference.h"
#include "support/every_level.h"

namespace scrl {
namespace {

using ColumnsTest = EveryLevel;
SCRL_EVERY_LEVEL(ColumnsTest);

TEST_P(ColumnsTest, MomentsEqualTheReference) {
  for (const Index h : kWidths) {
    for (const Index n : {0, 1, 5, 3000}) {
      for (const Layout layout : kLayouts) {
        SCOPED_TRACE(cat("h=", h, " n=", n, " panels=", layout == Layout::kPanels));
        const Matrix x = in_layout(random_matrix(n, h, 1), layout), y = random_matrix(n, h, 2);
        std::vector<double> sums(static_cast<std::size_t>(h), 7.0), dots = sums;
        std::vector<double> expected_sums = sums, expected_dots = sums;
        kernels::column_moments(x, y, sums, dots);
        reference::column_moments(x, y, expected_sums, expected_dots);
        for (std::size_t j = 0; j < sums.size(); ++j) {
          EXPECT_NEAR(sums[j], expected_sums[j], 1e-10) << j;
          EXPECT_NEAR(dots[j], expected_dots[j], 1e-10) << j;
        }
      }
    }
  }
}

TEST_P(ColumnsTest, MapsEqualTheReference) {
  for (const Index h : kWidths) {
    const Matrix shift = random_matrix(1, h, 3), scale = random_matrix(1, h, 4);
    const Matrix offset = random_matrix(1, h, 5);
    for (int parts = 0; parts < 8; ++parts) {
      const kernels::ColumnMap map = {.shift = parts & 1 ? &shift : nullptr,
                                      .scale = parts & 2 ? &scale : nullptr,
                                      .offset = parts & 4 ? &offset : nullptr};
      for (const Layout layout : kLayouts) {
        for (const bool accumulate : {false, true}) {
          SCOPED_TRACE(cat("h=", h, " parts=", parts, " accumulate=", accumulate));
          const Matrix x = in_layout(random_matrix(20, h, 6), layout);
          Matrix out = in_layout(random_matrix(20, h, 7), layout), expected = out;
          kernels::map_columns(x, map, out, accumulate);
          reference::map_columns(x, map, expected, accumulate);
          expect_near(out, expected, 1e-6);
          expect_zero_padding(out);
          kernels::repeat_row(shift, out, accumulate);
          reference::repeat_row(shift, expected, accumulate);
          expect_near(out, expected, 1e-6);
          expect_zero_padding(out);
        }
      }
    }
  }
}

TEST_P(ColumnsTest, BatchNormBackwardEqualsTheReference) {
  for (const Index h : kWidths) {
    for (const Layout layout : kLayouts) {
      for (const bool accumulate : {false, true}) {
        SCOPED_TRACE(cat("h=", h, " accumulate=", accumulate));
        const Matrix out = random_matrix(20, h, 8), dout = random_matrix(20, h, 9);
        const Matrix a = random_matrix(1, h, 10), b = random_matrix(1, h, 11);
        const Matrix c = random_matrix(1, h, 12), d = random_matrix(1, h, 13);
        Matrix dx = in_layout(random_matrix(20, h, 14), layout), expected = dx;
        kernels::batch_norm_backward(out, dout, {a, b, c, d}, dx, accumulate);
        reference::batch_norm_backward(out, dout, {a, b, c, d}, expected, accumulate);
        expect_near(dx, expected, 1e-6);
        expect_zero_padding(dx);
      }
    }
  }
}

TEST_P(ColumnsTest, ThreadsDoNotChangeTheBits) {
  const Matrix x = random_matrix(20000, 40, 15), y = random_matrix(20000, 40, 16);
  expect_thread_independent([&] {
    Matrix out(20000, 40), row(1, 40), other(1, 40);
    std::vector<double> sums(40), dots(40);
    kernels::column_moments(x, y, sums, dots);
    for (Index j = 0; j < 40; ++j) {
      row(0, j) = static_cast<float>(sums[static_cast<std::size_t>(j)]);
      other(0, j) = static_cast<float>(dots[static_cast<std::size_t>(j)]);
    }
    kernels::map_columns(x, {.shift = &row, .scale = &other}, out);
    kernels::repeat_row(other, out, true);
    kernels::batch_norm_backward(x, y, {row, other, row, other}, out, true);
    return out;
  });
}

TEST_P(ColumnsTest, ShapeErrorsNameBothShapes) {
  const Matrix row(1, 3);
  Matrix a(2, 4), b(3, 4);
  std::vector<double> three(3), four(4);
  expect_error([&] { kernels::column_moments(a, b, four, four); }, {"2x4", "3x4"});
  expect_error([&] { kernels::column_moments(a, a, four, three); }, {"2x4", "4 sums", "4 and 3"});
  expect_error([&] { kernels::map_columns(a, {}, b); }, {"map_columns", "2x4", "3x4"});
  expect_error([&] { kernels::map_columns(a, {.scale = &row}, a); }, {"scale", "1x4", "1x3"});
  expect_error([&] { kernels::repeat_row(row, a); }, {"repeat_row", "1x4", "1x3"});
  expect_error(
      [&] {
        kernels::batch_norm_backward(a, b, {row, row, row, row}, a);
      },
      {"batch_norm_backward", "2x4", "3x4"});
  expect_error(
      [&] {
        kernels::batch_norm_backward(a, a, {row, row, row, row}, a);
      },
      {"offset", "1x4", "1x3"});
}

}  // namespace
}  // namespace scrl
