#include "kernels/reference.h"
#include "support/every_level.h"

namespace scrl {
namespace {

using RowwiseTest = EveryLevel;
SCRL_EVERY_LEVEL(RowwiseTest);

TEST_P(RowwiseTest, LogSoftmaxEqualsTheReference) {
  for (const Index h : kWidths) {
    for (const float s : {1.0f, 1.0f / 0.3f, -2.0f}) {
      SCOPED_TRACE(cat("h=", h, " s=", s));
      const Matrix x = random_matrix(20, h, 1, -20.0f, 20.0f);
      Matrix out(20, h), expected(20, h);
      kernels::log_softmax(x, s, out);
      reference::log_softmax(x, s, expected);
      expect_near(out, expected, 2e-6);
      expect_zero_padding(out);
    }
  }
}

TEST_P(RowwiseTest, LogSoftmaxOfHugeValues) {
  Matrix x(2, 3), out(2, 3);
  x.assign_packed(std::vector<float>{1e30f, 0.0f, -1e30f, -1e4f, -1e4f, -1e4f});
  kernels::log_softmax(x, 1.0f, out);
  EXPECT_EQ(out(0, 0), 0.0f);
  EXPECT_FLOAT_EQ(out(0, 1), -1e30f);
  for (Index j = 0; j < 3; ++j) EXPECT_FLOAT_EQ(out(1, j), -std::log(3.0f));
}

TEST_P(RowwiseTest, LogSoftmaxBackwardEqualsTheReference) {
  for (const Index h : kWidths) {
    for (const bool accumulate : {false, true}) {
      SCOPED_TRACE(cat("h=", h, " accumulate=", accumulate));
      Matrix L(20, h);
      kernels::log_softmax(random_matrix(20, h, 2, -5.0f, 5.0f), 1.0f, L);
      const Matrix dL = random_matrix(20, h, 3);
      Matrix dx = random_matrix(20, h, 4), expected = dx;
      kernels::log_softmax_backward(L, dL, 3.0f, dx, accumulate);
      reference::log_softmax_backward(L, dL, 3.0f, expected, accumulate);
      expect_near(dx, expected, 1e-5);
      expect_zero_padding(dx);
    }
  }
}

TEST_P(RowwiseTest, SoftmaxEqualsTheReference) {
  for (const Index h : kWidths) {
    for (const bool accumulate : {false, true}) {
      SCOPED_TRACE(cat("h=", h, " accumulate=", accumulate));
      Matrix x = random_matrix(20, h, 11, -20.0f, 20.0f), out(20, h), expected(20, h);
      for (float& v : x.row_span(2)) v += 1e4f;
      kernels::softmax(x, out);
      reference::softmax(x, expected);
      expect_near(out, expected, 1e-6);
      expect_zero_padding(out);
      const Matrix dout = random_matrix(20, h, 12);
      Matrix dx = random_matrix(20, h, 13), expected_dx = dx;
      kernels::softmax_backward(out, dout, dx, accumulate);
      reference::softmax_backward(out, dout, expected_dx, accumulate);
      expect_near(dx, expected_dx, 1e-6);
      expect_zero_padding(dx);
    }
  }
  Matrix x = random_matrix(2, 20, 14), out(2, 20);
  x(1, 17) = NAN;
  kernels::softmax(x, out);
  for (Index j = 0; j < 20; ++j) {
    EXPECT_TRUE(std::isfinite(out(0, j)));
    EXPECT_TRUE(std::isnan(out(1, j)));
  }
  expect_zero_padding(out);
}

TEST_P(RowwiseTest, NormsEqualTheReference) {
  for (const Index h : kWidths) {
    for (const bool accumulate : {false, true}) {
      SCOPED_TRACE(cat("h=", h, " accumulate=", accumulate));
      Matrix x = random_matrix(20, h, 5);
      for (float& v : x.row_span(3)) v = 0.0f;  // a row without a direction
      Matrix out(20, h), expected(20, h);
      std::vector<float> norms, expected_norms;
      kernels::l2_normalize_rows(x, out, norms);
      reference::l2_normalize_rows(x, expected, expected_norms);
      expect_near(out, expected, 1e-6);
      expect_zero_padding(out);
      ASSERT_EQ(norms.size(), expected_norms.size());
      for (std::size_t i = 0; i < norms.size(); ++i) {
        EXPECT_NEAR(norms[i], expected_norms[i], 1e-6 * (1 + expected_norms[i]));
      }
      norms[3] = expected_norms[3] = 1.0f;  // else the gradient is 1e12 times the input
      const Matrix dout = random_matrix(20, h, 6);
      Matrix dx = random_matrix(20, h, 7), expected_dx = dx;
      kernels::l2_normalize_rows_backward(out, norms, dout, dx, accumulate);
      reference::l2_normalize_rows_backward(expected, expected_norms, dout, expected_dx,
                                            accumulate);
      expect_near(dx, expected_dx, h == 1 ? 1e-4 : 1e-5);  // one column: all of it cancels
      expect_zero_padding(dx);
    }
  }
}

TEST_P(RowwiseTest, ArgmaxTakesTheFirstOfEquals) {
  for (const Index h : kWidths) {
    SCOPED_TRACE(h);
    Matrix x = random_matrix(200, h, 8, -2.0f, -1.0f);  // padding zeros would win
    for (Index i = 0; i < x.rows(); ++i) {
      for (float& v : x.row_span(i)) v = std::round(4 * v);  // many ties
    }
    std::vector<std::int32_t> classes, expected;
    kernels::argmax_rows(x, classes);
    reference::argmax_rows(x, expected);
    EXPECT_EQ(classes, expected);
  }
  Matrix all_nan(2, 5);
  all_nan.fill(NAN);
  std::vector<std::int32_t> classes;
  kernels::argmax_rows(all_nan, classes);
  EXPECT_EQ(classes, (std::vector<std::int32_t>{0, 0}));
}

TEST_P(RowwiseTest, ThreadsDoNotChangeTheBits) {
  const Matrix x = random_matrix(5000, 57, 9), g = random_matrix(5000, 57, 10);
  expect_thread_independent([&] {
    Matrix out(5000, 57), dx(5000, 57);
    kernels::log_softmax(x, 2.0f, out);
    kernels::log_softmax_backward(out, g, 2.0f, dx);
    std::vector<float> norms;
    kernels::l2_normalize_rows(dx, out, norms);
    kernels::l2_normalize_rows_backward(out, norms, g, dx, true);
    kernels::softmax(x, out);
    kernels::softmax_backward(out, g, dx, true);
    return dx;
  });
}

TEST_P(RowwiseTest, NoRowsAndWrongShapes) {
  Matrix none(0, 4), a(2, 4), b(3, 4);
  std::vector<float> norms(1);
  std::vector<std::int32_t> classes;
  kernels::log_softmax(none, 1.0f, none);
  kernels::argmax_rows(none, classes);
  EXPECT_TRUE(classes.empty());
  expect_error([&] { kernels::log_softmax(a, 1.0f, b); }, {"log_softmax", "2x4", "3x4"});
  expect_error([&] { kernels::log_softmax_backward(a, b, 1.0f, a); }, {"2x4", "3x4"});
  expect_error([&] { kernels::softmax(a, b); }, {"softmax", "2x4", "3x4"});
  expect_error([&] { kernels::softmax_backward(a, b, a); }, {"softmax", "2x4", "3x4"});
  expect_error([&] { kernels::l2_normalize_rows(a, b, norms); }, {"2x4", "3x4"});
  expect_error([&] { kernels::l2_normalize_rows_backward(b, norms, b, b); }, {"3x4", "got 1"});
  expect_error([&] { kernels::argmax_rows(Matrix(3, 0), classes); }, {"argmax_rows", "3x0"});
}

}  // namespace
}  // namespace scrl
