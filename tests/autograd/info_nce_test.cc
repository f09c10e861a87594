// contrast by value, as its formula reads; gradients are in ops_test.cc.
#include "base/error.h"
#include "edge_ops.h"

namespace scrl {
namespace {

// l(a_i) of ops.h, a one view and b the other.
double term(const Matrix& a, const Matrix& b, Index i, double tau) {
  const auto dot = [&](const Matrix& y, Index j) {
    double sum = 0;
    for (Index c = 0; c < a.cols(); ++c) sum += static_cast<double>(a(i, c)) * y(j, c);
    return sum / tau;
  };
  double sum = 0;
  for (Index j = 0; j < a.rows(); ++j)
    sum += (j == i ? 0 : std::exp(dot(a, j))) + std::exp(dot(b, j));
  return std::log(sum) - dot(b, i);
}

TEST(ContrastTest, TheLossIsItsFormula) {
  for (const Index n : {Index{1}, Index{7}, Index{300}}) {
    Param X("X", n, 6), Y("Y", n, 6);
    fill_random(X.value, 1), fill_random(Y.value, 2);
    Tape t;
    const Var U = l2_normalize_rows(t.param(X)), V = l2_normalize_rows(t.param(Y));
    const Var loss = replay(t, info_nce(U, V, 0.4f));
    double expected = 0;
    for (Index i = 0; i < n; ++i)
      expected += term(U.value(), V.value(), i, 0.4) + term(V.value(), U.value(), i, 0.4);
    EXPECT_NEAR(loss.scalar(), expected / (2.0 * static_cast<double>(n)), 1e-5) << n;
  }
}

TEST(ContrastTest, EqualViewsLoseLessThanStrangers) {
  Param X("X", 50, 8), Y("Y", 50, 8);
  fill_random(X.value, 1), fill_random(Y.value, 2);
  Tape t;
  const Var U = l2_normalize_rows(t.param(X));
  const Var same = replay(t, info_nce(U, l2_normalize_rows(2.0f * t.param(X)), 0.5f));
  const Var other = replay(t, info_nce(U, l2_normalize_rows(t.param(Y)), 0.5f));
  EXPECT_LT(same.scalar(), other.scalar() - 0.5f);
}

TEST(ContrastTest, ThreadsDoNotChangeTheBits) {
  Param X("X", 1000, 20), Y("Y", 1000, 20);
  fill_random(X.value, 1), fill_random(Y.value, 2);
  Tape t;
  expect_same_bits_for_threads(
      t, info_nce(l2_normalize_rows(t.param(X)), l2_normalize_rows(t.param(Y)), 0.5f), {&X, &Y});
}

TEST(ContrastTest, WrongArguments) {
  Param X("X", 4, 5), Y("Y", 3, 5);
  Tape t;
  EXPECT_THROW(info_nce(t.param(X), t.param(Y), 0.5f), Error);
  EXPECT_THROW(info_nce(t.param(X), t.param(X), 0.5f), Error);
  EXPECT_THROW(info_nce(t.param(X), 2.0f * t.param(X), 0.0f), Error);
}

}  // namespace
}  // namespace scrl
