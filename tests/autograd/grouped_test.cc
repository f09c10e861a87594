// grouped_matmul by value; gradients are in ops_test.cc.
#include "base/error.h"
#include "edge_ops.h"

namespace scrl {
namespace {

TEST(GroupedTest, EveryRowMeetsTheMatrixOfItsGroup) {
  const std::vector<std::int32_t> of = {2, 0, -1, 2, 0, 4};  // 1 and 3 have no row
  Param x("x", 6, 3), W("W", 15, 4);
  fill_random(x.value, 1), fill_random(W.value, 2);
  Tape t;
  const Var out = grouped_matmul(t.param(x), t.param(W), of);
  replay(t, out);
  for (Index i = 0; i < 6; ++i)
    for (Index j = 0; j < 4; ++j) {
      double sum = 0;
      for (Index k = 0; k < 3 && of[i] >= 0; ++k) sum += x.value(i, k) * W.value(of[i] * 3 + k, j);
      EXPECT_NEAR(out.value()(i, j), sum, 1e-6) << i << "," << j;
    }
  Matrix weights(6, 4);
  fill_random(weights, 3);
  const Var loss = soft_nll(t.constant(weights), out);
  const Plan plan = t.plan({loss});
  W.grad.fill(9.0f);
  t.forward(plan, {});
  t.backward(plan, {}, loss);
  for (const Index group : {1, 3})
    for (Index k = 0; k < 3; ++k)
      for (Index j = 0; j < 4; ++j) EXPECT_EQ(W.grad(group * 3 + k, j), 0.0f);
  for (Index k = 0; k < 3; ++k) EXPECT_EQ(x.grad(2, k), 0.0f);
}

TEST(GroupedTest, ThreadsDoNotChangeTheBits) {
  const Index n = 3000, groups = 400;
  std::vector<std::int32_t> of(static_cast<std::size_t>(n));
  for (Index i = 0; i < n; ++i)
    of[i] = static_cast<std::int32_t>(i % 2 == 0 ? 0 : i % groups) - (i % 10 == 4);
  Param x("x", n, 20), W("W", groups * 20, 12);
  fill_random(x.value, 1), fill_random(W.value, 2);
  Matrix weights(n, 12);
  fill_random(weights, 3);
  Tape t;
  expect_same_bits_for_threads(
      t, soft_nll(t.constant(weights), grouped_matmul(t.param(x), t.param(W), of)), {&x, &W});
}

TEST(GroupedTest, WrongArguments) {
  Param x("x", 3, 2), W("W", 5, 4), V("V", 4, 4);
  Tape t;
  EXPECT_THROW(grouped_matmul(t.param(x), t.param(W), {0, 0, 0}), Error);
  EXPECT_THROW(grouped_matmul(t.param(x), t.param(V), {0, 1}), Error);
  EXPECT_THROW(grouped_matmul(t.param(x), t.param(V), {0, 1, 2}), Error);
}

}  // namespace
}  // namespace scrl
