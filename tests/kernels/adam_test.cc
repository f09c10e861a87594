#include "kernels/reference.h"
#include "support/every_level.h"

namespace scrl {
namespace {

using kernels::AdamStep;
using AdamTest = EveryLevel;
SCRL_EVERY_LEVEL(AdamTest);

AdamStep step_number(int t, double weight_decay) {
  return {.lr = 0.01,
          .beta1 = 0.9,
          .beta2 = 0.999,
          .epsilon = 1e-8,
          .weight_decay = weight_decay,
          .correction1 = 1.0 - std::pow(0.9, t),
          .correction2 = 1.0 - std::pow(0.999, t)};
}

// The gradient A X used where it comes up is the gradient A X that was stored first.
TEST_P(AdamTest, AStepByAProductIsAProductAndAStep) {
  const Csr A = random_csr(60, 45, 0.2, 1);
  for (const Index h : {Index{5}, Index{32}, Index{48}, Index{130}}) {
    for (const auto& [layout, precision] : {std::pair(Layout::kRows, Precision::kFloat32),
                                            {Layout::kPanels, Precision::kFloat32},
                                            {Layout::kRows, Precision::kBf16},
                                            {Layout::kPanels, Precision::kBf16}}) {
      SCOPED_TRACE(cat("h=", h, " panels=", layout == Layout::kPanels,
                       " bf16=", precision == Precision::kBf16));
      Matrix X(45, h, layout), w(60, h, layout), m(60, h, layout), v(60, h, layout);
      X.assign_packed(random_matrix(45, h, 2).packed());
      w.assign_packed(random_matrix(60, h, 3).packed());
      Matrix grad(60, h, layout), expected_w = w, expected_m = m, expected_v = v;
      for (int t = 1; t <= 3; ++t) {
        kernels::spmm(A, A.val, X, grad, false, precision);
        kernels::adam(step_number(t, 5e-4), grad, expected_w, expected_m, expected_v);
        kernels::spmm_adam(A, A.val, X, step_number(t, 5e-4), w, m, v, precision);
      }
      EXPECT_TRUE(same_bytes(w, expected_w));
      EXPECT_TRUE(same_bytes(m, expected_m));
      EXPECT_TRUE(same_bytes(v, expected_v));
    }
  }
  Matrix X(45, 40), w(60, 40), m(60, 40), v(60, 40, Layout::kPanels);
  expect_error([&] { kernels::spmm_adam(A, A.val, X, step_number(1, 0), w, m, v); }, {"panels"});
}

TEST_P(AdamTest, TenStepsEqualTheReference) {
  for (const Index h : kWidths) {
    SCOPED_TRACE(h);
    Matrix w = random_matrix(20, h, 1), m(20, h), v(20, h);
    Matrix expected_w = w, expected_m = m, expected_v = v;
    for (int t = 1; t <= 10; ++t) {
      const Matrix grad = random_matrix(20, h, static_cast<std::uint64_t>(t) + 10);
      kernels::adam(step_number(t, 5e-4), grad, w, m, v);
      reference::adam(step_number(t, 5e-4), grad, expected_w, expected_m, expected_v);
    }
    expect_near(w, expected_w, 1e-6);
    expect_near(m, expected_m, 1e-6);
    expect_near(v, expected_v, 1e-7);
    for (const Matrix* x : {&w, &m, &v}) expect_zero_padding(*x);
  }
}

// With a constant gradient every step of Adam is lr, up to epsilon.
TEST_P(AdamTest, AConstantGradientMovesByTheRate) {
  Matrix w(1, 3), m(1, 3), v(1, 3), grad(1, 3);
  grad.assign_packed(std::vector<float>{1.0f, -1e-3f, 250.0f});
  for (int t = 1; t <= 20; ++t) kernels::adam(step_number(t, 0.0), grad, w, m, v);
  EXPECT_NEAR(w(0, 0), -0.2f, 1e-5);
  EXPECT_NEAR(w(0, 1), 0.2f, 1e-5);
  EXPECT_NEAR(w(0, 2), -0.2f, 1e-5);
}

TEST_P(AdamTest, LayoutsDoNotChangeTheBitsAndDoNotMix) {
  const Matrix grad = random_matrix(20, 70, 4);
  Matrix w = random_matrix(20, 70, 5), m(20, 70), v(20, 70);
  const Matrix grad_in_panels = in_layout(grad, Layout::kPanels);
  Matrix panels[] = {in_layout(w, Layout::kPanels), Matrix(20, 70, Layout::kPanels),
                     Matrix(20, 70, Layout::kPanels)};
  kernels::adam(step_number(1, 1e-3), grad, w, m, v);
  kernels::adam(step_number(1, 1e-3), grad_in_panels, panels[0], panels[1], panels[2]);
  expect_same_bits(panels[0], w);
  expect_same_bits(panels[1], m);
  expect_same_bits(panels[2], v);
  const AdamStep step = step_number(2, 0.0);
  expect_error([&] { kernels::adam(step, grad, panels[0], m, v); }, {"adam", "panels"});
  expect_error([&] { kernels::adam(step, grad, w, panels[1], v); }, {"adam", "panels"});
  expect_error([&] { kernels::adam(step, grad, w, m, panels[2]); }, {"adam", "panels"});
}

TEST_P(AdamTest, ThreadsDoNotChangeTheBits) {
  const Matrix grad = random_matrix(1000, 130, 2);
  expect_thread_independent([&] {
    Matrix w = random_matrix(1000, 130, 3), m(1000, 130), v(1000, 130);
    for (int t = 1; t <= 3; ++t) kernels::adam(step_number(t, 1e-3), grad, w, m, v);
    return w;
  });
}

TEST_P(AdamTest, BadArguments) {
  Matrix a(2, 3), b(3, 2), none(0, 3);
  kernels::adam(step_number(1, 0.0), none, none, none, none);
  expect_error([&] { kernels::adam(step_number(1, 0.0), a, b, a, a); }, {"adam", "2x3", "3x2"});
  AdamStep step = step_number(1, 0.0);
  step.epsilon = 0.0;
  expect_error([&] { kernels::adam(step, a, a, a, a); }, {"epsilon"});
  step = step_number(0, 0.0);
  expect_error([&] { kernels::adam(step, a, a, a, a); }, {"corrections"});
}

}  // namespace
}  // namespace scrl
