// eval/significance.h: may two methods differ by chance alone? The paired t-test over seeds.
//
// With the differences d_i of n pairs, their mean m and sample deviation s (n-1):
//   t = m / (s / sqrt(n)),   p = P(|T| >= |t|) for Student's T with n-1 degrees of freedom
//     = I_x(v/2, 1/2)  at  x = v / (v + t^2),  v = n-1,
// I being the regularised incomplete beta function. p is two-sided and not corrected for the number
// of comparisons.
#pragma once
#include <optional>
#include <span>

namespace scrl {

// I_x(a, b) for a, b > 0 and x in [0, 1].
double incomplete_beta(double a, double b, double x);

// P(|T| >= |t|) with `dof` > 0 degrees of freedom; t may be infinite.
double student_t_two_sided(double t, double dof);

inline constexpr std::size_t kFewestPairs = 3;  // below, the test says next to nothing

// The p-value; none with fewer than kFewestPairs pairs. Equal differences have no deviation: p is 1
// if they are all 0, else 0.
std::optional<double> paired_t_test(std::span<const double> a, std::span<const double> b);

}  // namespace scrl
