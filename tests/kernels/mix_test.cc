#include "kernels/reference.h"
#include "support/every_level.h"

namespace scrl {
namespace {

using MixTest = EveryLevel;
SCRL_EVERY_LEVEL(MixTest);

TEST_P(MixTest, WeightedRowsEqualTheReference) {
  for (const Index h : kWidths) {
    for (const Layout layout : kLayouts) {
      for (const Index count : {1, 3, 4, 17}) {
        SCOPED_TRACE(cat("h=", h, " count=", count, " panels=", layout == Layout::kPanels));
        const Matrix weights = random_matrix(20, count, 1);
        std::vector<Matrix> parts;
        std::vector<const Matrix*> at;
        for (Index c = 0; c < count; ++c) {
          parts.push_back(
              in_layout(random_matrix(20, h, static_cast<std::uint64_t>(2 + c)), layout));
        }
        for (const Matrix& part : parts) at.push_back(&part);
        Matrix out = random_matrix(20, h, 30), expected = out;
        for (Index i = 0; i < 20; ++i)
          std::fill_n(out.row(i), h, NAN);  // overwritten, not added to
        kernels::mix(weights, at, out);
        reference::mix(weights, at, expected);
        expect_near(out, expected, 2e-6);
        expect_zero_padding(out);
      }
    }
  }
}

TEST_P(MixTest, AdjointsEqualTheReference) {
  for (const Index h : kWidths) {
    for (const Layout layout : kLayouts) {
      for (const bool accumulate : {false, true}) {
        SCOPED_TRACE(cat("h=", h, " accumulate=", accumulate));
        const Matrix weights = random_matrix(20, 3, 1), y = random_matrix(20, h, 2);
        const Matrix x = in_layout(random_matrix(20, h, 3), layout);
        Matrix out = in_layout(random_matrix(20, h, 4), layout), expected = out;
        kernels::scale_rows(weights, 2, y, out, accumulate);
        reference::scale_rows(weights, 2, y, expected, accumulate);
        expect_near(out, expected, 1e-6);
        expect_zero_padding(out);
        Matrix dots = random_matrix(20, 3, 5), expected_dots = dots;
        kernels::row_dots(x, y, dots, 1, accumulate);
        reference::row_dots(x, y, expected_dots, 1, accumulate);
        expect_near(dots, expected_dots, 1e-5);  // the other columns stay
        expect_zero_padding(dots);
      }
    }
  }
}

TEST_P(MixTest, ThreadsDoNotChangeTheBits) {
  const Matrix x = random_matrix(5000, 57, 6), y = random_matrix(5000, 57, 7);
  Matrix weights = random_matrix(5000, 2, 8);
  expect_thread_independent([&] {
    Matrix out(5000, 57);
    kernels::row_dots(x, y, weights, 0);
    kernels::mix(weights, std::vector<const Matrix*>{&x, &y}, out);
    kernels::scale_rows(weights, 0, x, out, true);
    return out;
  });
}

TEST_P(MixTest, ShapeErrorsNameBothShapes) {
  Matrix a(2, 4), b(3, 4), weights(2, 3);
  const std::vector<const Matrix*> one = {&a}, wrong = {&a, &a, &b};
  expect_error([&] { kernels::mix(weights, one, a); }, {"mix", "2x1", "2x3"});
  expect_error([&] { kernels::mix(weights, wrong, a); }, {"mix", "2x4", "3x4"});
  expect_error([&] { kernels::scale_rows(weights, 0, b, b); }, {"scale_rows", "3x4", "2x3"});
  expect_error([&] { kernels::scale_rows(weights, 3, a, a); }, {"column 3", "2x3"});
  expect_error([&] { kernels::row_dots(a, b, weights, 0); }, {"row_dots", "2x4", "3x4"});
}

}  // namespace
}  // namespace scrl
