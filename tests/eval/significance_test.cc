#include "eval/significance.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/error.h"

namespace scrl {
namespace {

void expect_close(double got, double want, double relative = 1e-12) {
  EXPECT_NEAR(got, want, relative * std::abs(want));
}

// For whole b: I_x(a, b) is a polynomial; for b = 1 it is x^a, and I_x(a, b) = 1 - I_{1-x}(b, a).
TEST(SignificanceTest, IncompleteBetaInClosedForm) {
  for (const double x : {0.0, 1e-9, 0.1, 0.37, 0.5, 0.9, 1.0}) {
    expect_close(incomplete_beta(1, 1, x), x);
    expect_close(incomplete_beta(3.5, 1, x), std::pow(x, 3.5));
    expect_close(incomplete_beta(2, 3, x), x * x * (6 - 8 * x + 3 * x * x));
    EXPECT_NEAR(incomplete_beta(0.5, 0.5, x), 2 / M_PI * std::asin(std::sqrt(x)), 1e-13);
    EXPECT_NEAR(incomplete_beta(2.5, 0.75, x), 1 - incomplete_beta(0.75, 2.5, 1 - x), 1e-13);
  }
}

// From SciPy 1.10, scipy.special.betainc.
TEST(SignificanceTest, IncompleteBetaOfAnotherProgram) {
  expect_close(incomplete_beta(2, 0.5, 0.9), 0.5414697392755847);
  expect_close(incomplete_beta(2.5, 0.5, 0.01), 3.4075027649461733e-06);
  expect_close(incomplete_beta(50, 0.5, 0.97), 0.08169933372182267);
  expect_close(incomplete_beta(5, 7, 0.8), 0.9980346368);
  expect_close(incomplete_beta(1e4, 0.5, 0.9999), 0.15729401776328975, 1e-9);
}

// One degree of freedom is Cauchy's distribution; two have p = 1 - |t| / sqrt(2 + t^2).
TEST(SignificanceTest, StudentInClosedForm) {
  for (const double t : {0.0, 0.01, 0.7, 1.0, 4.3, 60.0}) {
    EXPECT_NEAR(student_t_two_sided(t, 1), 1 - 2 / M_PI * std::atan(t), 1e-13);
    EXPECT_NEAR(student_t_two_sided(-t, 2), 1 - t / std::sqrt(2 + t * t), 1e-13);
  }
  EXPECT_EQ(student_t_two_sided(std::numeric_limits<double>::infinity(), 4), 0.0);
}

// Printed tables of Student's t, and scipy.stats.t.
TEST(SignificanceTest, StudentFromTables) {
  EXPECT_NEAR(student_t_two_sided(12.706, 1), 0.05, 1e-5);
  EXPECT_NEAR(student_t_two_sided(4.604, 4), 0.01, 1e-5);
  EXPECT_NEAR(student_t_two_sided(2.262, 9), 0.05, 2e-5);
  EXPECT_NEAR(student_t_two_sided(2.042, 30), 0.05, 3e-5);
  expect_close(student_t_two_sided(2.7764451051977987, 4), 0.05);
  expect_close(student_t_two_sided(-3.2, 9), 0.010831302589901327);
  expect_close(student_t_two_sided(100, 9), 5.073089766208563e-15, 1e-10);
  expect_close(student_t_two_sided(1.96, 1e6), 0.04999606758526978, 1e-7);
}

// "Student" (1908), hours of sleep gained with two drugs; R's t.test says p-value = 0.002833.
TEST(SignificanceTest, StudentsSleepers) {
  const std::vector<double> a = {0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0};
  const std::vector<double> b = {1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4};
  expect_close(paired_t_test(a, b).value(), 0.00283289019738427, 1e-10);
  EXPECT_EQ(paired_t_test(a, b), paired_t_test(b, a));
}

TEST(SignificanceTest, PairsNotGroups) {
  // Far apart in pairs, though the two groups overlap almost wholly.
  const std::vector<double> a = {10, 20, 30, 40}, b = {11, 21.1, 31, 40.9};
  EXPECT_LT(paired_t_test(a, b).value(), 0.001);
  const std::vector<double> shuffled = {40.9, 11, 21.1, 31};
  EXPECT_GT(paired_t_test(a, shuffled).value(), 0.5);
}

TEST(SignificanceTest, TooFewPairsAndNoDeviation) {
  using V = std::vector<double>;
  EXPECT_FALSE(paired_t_test(V{}, V{}).has_value());
  EXPECT_FALSE(paired_t_test(V{1, 2}, V{2, 4}).has_value());
  EXPECT_EQ(paired_t_test(V{1, 2, 3}, V{1, 2, 3}), 1.0);
  EXPECT_EQ(paired_t_test(V{1, 2, 3}, V{2, 3, 4}), 0.0);
  EXPECT_EQ(paired_t_test(V{70.1, 70.2, 70.4}, V{70.0, 70.1, 70.3}), 0.0);  // 0.1, up to rounding
  EXPECT_THROW(paired_t_test(V{1, 2, 3}, V{1, 2}), Error);
}

}  // namespace
}  // namespace scrl
