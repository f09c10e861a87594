#include "kernels/reference.h"
#include "support/every_level.h"

namespace scrl {
namespace {

using ActivationTest = EveryLevel;
SCRL_EVERY_LEVEL(ActivationTest);

TEST_P(ActivationTest, BiasReluDropoutEqualsTheReference) {
  const Rng rng(5, Purpose::kDropout, 2, 9);
  for (const Index h : kWidths) {
    const Matrix x = random_matrix(21, h, 1), bias = random_matrix(1, h, 2);
    for (const float p : {0.0f, 0.3f, 0.5f, 0.95f}) {
      for (const Matrix* b : {&bias, static_cast<const Matrix*>(nullptr)}) {
        for (const Rng* r : {&rng, static_cast<const Rng*>(nullptr)}) {
          SCOPED_TRACE(cat("h=", h, " p=", p, " bias=", b != nullptr, " rng=", r != nullptr));
          Matrix out = random_matrix(21, h, 3), expected = out;
          kernels::bias_relu_dropout(x, b, p, r, out);
          reference::bias_relu_dropout(x, b, p, r, expected);
          EXPECT_TRUE(same_bytes(out, expected));
        }
      }
    }
  }
}

TEST_P(ActivationTest, BackwardEqualsTheReference) {
  for (const Index h : kWidths) {
    for (const bool accumulate : {false, true}) {
      SCOPED_TRACE(cat("h=", h, " accumulate=", accumulate));
      const Matrix out = random_matrix(20, h, 4), dout = random_matrix(20, h, 5);
      Matrix dx = random_matrix(20, h, 6), expected = dx;
      kernels::bias_relu_dropout_backward(out, dout, 2.0f, dx, accumulate);
      reference::bias_relu_dropout_backward(out, dout, 2.0f, expected, accumulate);
      EXPECT_TRUE(same_bytes(dx, expected));
      kernels::relu_backward(out, dout, dx, accumulate);
      reference::relu_backward(out, dout, expected, accumulate);
      EXPECT_TRUE(same_bytes(dx, expected));
    }
  }
}

TEST_P(ActivationTest, ReluAndBiasEqualTheReference) {
  for (const Index h : kWidths) {
    SCOPED_TRACE(h);
    const Matrix x = random_matrix(20, h, 7), bias = random_matrix(1, h, 8);
    Matrix out(20, h), expected(20, h);
    kernels::relu(x, out);
    reference::relu(x, expected);
    EXPECT_TRUE(same_bytes(out, expected));
    kernels::add_bias(x, bias, out);
    reference::add_bias(x, bias, expected);
    EXPECT_TRUE(same_bytes(out, expected));
  }
}

TEST_P(ActivationTest, LayoutsDoNotChangeTheBits) {
  const Rng rng(6, Purpose::kDropout, 1, 4);
  for (const Index h : {1, 16, 17, 32, 33, 48, 49, 64, 65, 130, 300}) {
    const Matrix x = random_matrix(21, h, 14), bias = random_matrix(1, h, 15);
    const Matrix x_in_panels = in_layout(x, Layout::kPanels);
    Matrix out(21, h), other = random_matrix(21, h, 16);
    for (const Rng* r : {&rng, static_cast<const Rng*>(nullptr)}) {
      SCOPED_TRACE(cat("h=", h, " rng=", r != nullptr));
      kernels::bias_relu_dropout(x, &bias, 0.3f, r, out);
      kernels::bias_relu_dropout(x_in_panels, &bias, 0.3f, r, other);
      expect_same_bits(other, out);
    }
    for (const bool accumulate : {false, true}) {
      SCOPED_TRACE(cat("h=", h, " accumulate=", accumulate));
      Matrix dx = random_matrix(21, h, 17), dx_in_panels = in_layout(dx, Layout::kPanels);
      kernels::bias_relu_dropout_backward(out, x, 1.5f, dx, accumulate);
      kernels::bias_relu_dropout_backward(out, x, 1.5f, dx_in_panels, accumulate);
      expect_same_bits(dx_in_panels, dx);
    }
  }
}

// A loss that is not a number must stay visible after the activation.
TEST_P(ActivationTest, NanSurvives) {
  Matrix x = random_matrix(3, 20, 9), out(3, 20);
  x(1, 17) = NAN;
  kernels::relu(x, out);
  EXPECT_TRUE(std::isnan(out(1, 17)));
  kernels::bias_relu_dropout(x, nullptr, 0.0f, nullptr, out);
  EXPECT_TRUE(std::isnan(out(1, 17)));
}

TEST_P(ActivationTest, WorksInPlace) {
  Matrix x = random_matrix(30, 70, 10), expected(30, 70);
  const Rng rng(3);
  kernels::bias_relu_dropout(x, nullptr, 0.5f, &rng, expected);
  kernels::bias_relu_dropout(x, nullptr, 0.5f, &rng, x);
  EXPECT_TRUE(same_bytes(x, expected));
}

TEST_P(ActivationTest, ThreadsDoNotChangeTheBits) {
  const Matrix x = random_matrix(3000, 130, 11), bias = random_matrix(1, 130, 12);
  const Rng rng(4);
  expect_thread_independent([&] {
    Matrix out(3000, 130), dx = random_matrix(3000, 130, 13);
    kernels::bias_relu_dropout(x, &bias, 0.4f, &rng, out);
    kernels::bias_relu_dropout_backward(out, x, 1.5f, dx, true);
    return dx;
  });
}

TEST_P(ActivationTest, NoRowsAndWrongShapes) {
  Matrix none(0, 5), out(4, 5), other(3, 5);
  kernels::relu(none, none);
  kernels::bias_relu_dropout(none, nullptr, 0.5f, nullptr, none);
  expect_error([&] { kernels::relu(other, out); }, {"relu", "3x5", "4x5"});
  expect_error([&] { kernels::add_bias(out, other, out); }, {"add_bias", "4x5", "1x5", "3x5"});
  expect_error([&] { kernels::bias_relu_dropout(out, &other, 0.1f, nullptr, out); },
               {"bias", "1x5", "3x5"});
  expect_error([&] { kernels::relu_backward(out, other, out); }, {"relu_backward", "4x5", "3x5"});
  expect_error([&] { kernels::bias_relu_dropout_backward(out, out, 1.0f, other); }, {"4x5", "3x5"});
  Matrix rows(4, 40), panels(4, 40, Layout::kPanels);
  const Matrix bias(1, 40);
  expect_error([&] { kernels::bias_relu_dropout(rows, &bias, 0.1f, nullptr, panels); }, {"panels"});
  expect_error([&] { kernels::bias_relu_dropout_backward(rows, panels, 1.0f, rows); }, {"panels"});
  expect_error([&] { kernels::add_bias(panels, bias, rows); }, {"panels"});
}

}  // namespace
}  // namespace scrl
