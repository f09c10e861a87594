#include "kernels/reference.h"
#include "support/every_level.h"

namespace scrl {
namespace {

using NonlinearTest = EveryLevel;
SCRL_EVERY_LEVEL(NonlinearTest);

struct Curve {
  const char* name;
  void (*kernel)(const Matrix&, Matrix&);
  void (*twin)(const Matrix&, Matrix&);
  void (*backward)(const Matrix&, const Matrix&, Matrix&, bool);
  void (*backward_twin)(const Matrix&, const Matrix&, Matrix&, bool);
};

constexpr Curve kCurves[] = {
    {"elu", kernels::elu, reference::elu, kernels::elu_backward, reference::elu_backward},
    {"tanh", kernels::tanh, reference::tanh, kernels::tanh_backward, reference::tanh_backward},
    {"sigmoid", kernels::sigmoid, reference::sigmoid, kernels::sigmoid_backward,
     reference::sigmoid_backward},
};

TEST_P(NonlinearTest, CurvesEqualTheReference) {
  for (const Curve& curve : kCurves) {
    for (const Index h : kWidths) {
      for (const Layout layout : kLayouts) {
        for (const float range : {0.01f, 3.0f, 200.0f}) {
          SCOPED_TRACE(
              cat(curve.name, " h=", h, " panels=", layout == Layout::kPanels, " ", range));
          const Matrix x = in_layout(random_matrix(20, h, 1, -range, range), layout);
          Matrix out(20, h), expected(20, h);
          curve.kernel(x, out);
          curve.twin(x, expected);
          expect_near(out, expected, 3e-7);
          expect_zero_padding(out);
          const Matrix dout = random_matrix(20, h, 2);
          for (const bool accumulate : {false, true}) {
            Matrix dx = in_layout(random_matrix(20, h, 3), layout), expected_dx = dx;
            curve.backward(out, dout, dx, accumulate);
            curve.backward_twin(out, dout, expected_dx, accumulate);
            expect_near(dx, expected_dx, 1e-6);
            expect_zero_padding(dx);
          }
        }
      }
    }
  }
}

TEST_P(NonlinearTest, SmallArgumentsKeepTheirDigits) {
  Matrix x(1, 2), out(1, 2);
  x.assign_packed(std::vector<float>{-1e-6f, 1e-6f});
  kernels::elu(x, out);
  EXPECT_FLOAT_EQ(out(0, 0), static_cast<float>(std::expm1(-1e-6)));
  kernels::tanh(x, out);
  EXPECT_FLOAT_EQ(out(0, 1), 1e-6f);
}

TEST_P(NonlinearTest, EndsOfTheRangeAndNan) {
  Matrix x(1, 5), out(1, 5);
  x.assign_packed(std::vector<float>{-INFINITY, -1e30f, 1e30f, INFINITY, NAN});
  const auto expect = [&](const std::vector<float>& values) {
    for (Index j = 0; j < 4; ++j) EXPECT_EQ(out(0, j), values[static_cast<std::size_t>(j)]) << j;
    EXPECT_TRUE(std::isnan(out(0, 4)));
  };
  kernels::elu(x, out);
  expect({-1.0f, -1.0f, 1e30f, INFINITY});
  kernels::tanh(x, out);
  expect({-1.0f, -1.0f, 1.0f, 1.0f});
  kernels::sigmoid(x, out);
  expect({0.0f, 0.0f, 1.0f, 1.0f});
  kernels::prelu(x, 0.5f, out);
  expect({-INFINITY, -0.5e30f, 1e30f, INFINITY});
}

TEST_P(NonlinearTest, PreluEqualsTheReference) {
  for (const Index h : kWidths) {
    for (const float slope : {0.25f, -2.0f, 0.0f}) {
      SCOPED_TRACE(cat("h=", h, " slope=", slope));
      const Matrix x = random_matrix(50, h, 4), dout = random_matrix(50, h, 5);
      Matrix out(50, h), expected(50, h);
      kernels::prelu(x, slope, out);
      reference::prelu(x, slope, expected);
      EXPECT_TRUE(same_bytes(out, expected));
      for (const bool accumulate : {false, true}) {
        Matrix dx = random_matrix(50, h, 6), expected_dx = dx;
        kernels::prelu_backward(x, dout, slope, dx, accumulate);
        reference::prelu_backward(x, dout, slope, expected_dx, accumulate);
        expect_near(dx, expected_dx, 1e-6);
        expect_zero_padding(dx);
      }
      EXPECT_NEAR(kernels::prelu_slope_gradient(x, dout), reference::prelu_slope_gradient(x, dout),
                  1e-12 * static_cast<double>(50 * h));
    }
  }
}

TEST_P(NonlinearTest, ThreadsDoNotChangeTheBits) {
  const Matrix x = random_matrix(5000, 57, 7, -3.0f, 3.0f), g = random_matrix(5000, 57, 8);
  expect_thread_independent([&] {
    Matrix out(5000, 57), dx(5000, 57);
    for (const Curve& curve : kCurves) {
      curve.kernel(x, out);
      curve.backward(out, g, dx, true);
    }
    kernels::prelu_backward(x, g, 0.3f, dx, true);
    dx(0, 0) = static_cast<float>(kernels::prelu_slope_gradient(x, g));
    return dx;
  });
}

TEST_P(NonlinearTest, NoRowsAndWrongShapes) {
  Matrix none(0, 4), a(2, 4), b(3, 4);
  EXPECT_EQ(kernels::prelu_slope_gradient(none, none), 0.0);
  for (const Curve& curve : kCurves) {
    curve.kernel(none, none);
    expect_error([&] { curve.kernel(a, b); }, {curve.name, "2x4", "3x4"});
    expect_error([&] { curve.backward(a, a, b, false); }, {curve.name, "2x4", "3x4"});
    expect_error([&] { curve.backward(a, b, a, false); }, {curve.name, "2x4", "3x4"});
  }
  expect_error([&] { kernels::prelu(a, 0.1f, b); }, {"prelu", "2x4", "3x4"});
  expect_error([&] { kernels::prelu_backward(a, b, 0.1f, a); }, {"prelu", "2x4", "3x4"});
  expect_error([&] { kernels::prelu_slope_gradient(a, b); }, {"prelu", "2x4", "3x4"});
}

}  // namespace
}  // namespace scrl
