#include "eval/significance.h"

#include <cmath>
#include <limits>
#include <vector>

#include "base/error.h"
#include "eval/metrics.h"

namespace scrl {
namespace {

// The continued fraction of I_x(a, b) by Lentz's method, which evaluates it from the front. It
// converges within some sqrt(max(a, b)) steps for x < (a + 1) / (a + b + 2).
double beta_fraction(double a, double b, double x) {
  constexpr double kTiny = 1e-300;  // in place of a zero denominator
  constexpr double kEpsilon = std::numeric_limits<double>::epsilon();
  const auto nonzero = [](double v) { return std::abs(v) < kTiny ? kTiny : v; };
  double c = 1, d = 1 / nonzero(1 - (a + b) * x / (a + 1)), value = d;
  for (int i = 1; i < 100000; ++i) {
    const double m = i;
    const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonzero(1 + even * d);
    c = nonzero(1 + even / c);
    value *= d * c;
    const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonzero(1 + odd * d);
    c = nonzero(1 + odd / c);
    value *= d * c;
    if (std::abs(d * c - 1) < 4 * kEpsilon) break;
  }
  return value;
}

}  // namespace

double incomplete_beta(double a, double b, double x) {
  check(a > 0 && b > 0 && x >= 0 && x <= 1, "incomplete_beta: expected a, b > 0 and x in [0, 1], ",
        "got a = ", a, ", b = ", b, ", x = ", x);
  if (x == 0 || x == 1) return x;
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x));
  return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a
                                   : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double student_t_two_sided(double t, double dof) {
  check(dof > 0 && !std::isnan(t),
        "student_t_two_sided: expected dof > 0 and a number, got dof = ", dof, ", t = ", t);
  if (std::isinf(t)) return 0;
  return incomplete_beta(dof / 2, 0.5, dof / (dof + t * t));
}

std::optional<double> paired_t_test(std::span<const double> a, std::span<const double> b) {
  check(a.size() == b.size(), "paired_t_test: ", a.size(), " and ", b.size(), " values");
  if (a.size() < kFewestPairs) return std::nullopt;
  std::vector<double> difference(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) difference[i] = a[i] - b[i];
  const auto n = static_cast<double>(a.size());
  const MeanStd m = mean_std(difference);
  // Percentages that differ by the same count differ in their last bits; that is no deviation.
  const double noise = 1e-12 * (std::abs(a[0]) + std::abs(b[0]));
  if (m.std <= noise) return std::abs(m.mean) <= noise ? 1.0 : 0.0;
  return student_t_two_sided(m.mean / (m.std / std::sqrt(n)), n - 1);
}

}  // namespace scrl
