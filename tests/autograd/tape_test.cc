#include "autograd/tape.h"

#include <gtest/gtest.h>

#include "autograd/ops.h"
#include "base/error.h"

namespace scrl {
namespace {

struct Counted {
  Var v;
  int* runs;
};

// x + x with a counter; "sum" because only known names may be recorded.
Counted counted(Var x, int* runs) {
  return {x.tape().record(
              "sum", {x}, x.rows(), x.cols(),
              [x, runs](const Pass&, Matrix& out) {
                ++*runs;
                out(0, 0) = 2 * x.value()(0, 0);
              },
              [x](const Pass&, const Matrix&, const Matrix& dout) {
                auto [dx, add] = x.sink();
                dx(0, 0) = (add ? dx(0, 0) : 0.0f) + 2 * dout(0, 0);
              }),
          runs};
}

TEST(TapeTest, EvaluationSharesWhatNoDropoutReaches) {
  Param p("p", 1, 1);
  p.value(0, 0) = 3;
  Tape t;
  int before = 0, after = 0;
  Var a = counted(t.param(p), &before).v;
  Var b = counted(dropout(a, 0.5f), &after).v;
  const Plan plan = t.plan({b});
  t.forward(plan, Pass{});                          // evaluation
  t.forward(plan, {.training = true, .epoch = 1});  // same parameters: a is kept
  EXPECT_EQ(before, 1);
  EXPECT_EQ(after, 2);
  t.forward(plan, {.training = true, .epoch = 1});  // nothing changed at all
  EXPECT_EQ(after, 2);
  t.params_changed();
  t.forward(plan, Pass{});
  EXPECT_EQ(before, 2);
  EXPECT_EQ(after, 3);
}

TEST(TapeTest, PlansHoldOnlyWhatTheirOutputsNeed) {
  Param p("p", 1, 1);
  Tape t;
  int used = 0, unused = 0;
  Var a = counted(t.param(p), &used).v;
  counted(t.param(p), &unused);
  t.forward(t.plan({a}), Pass{});
  EXPECT_EQ(used, 1);
  EXPECT_EQ(unused, 0);
}

TEST(TapeTest, GradientsAddUpWithinAPassAndNotOverPasses) {
  Param p("p", 1, 1), q("q", 1, 1);
  p.value(0, 0) = 3;
  Tape t;
  int runs = 0;
  Var loss = counted(t.param(p), &runs).v + counted(t.param(p), &runs).v;
  const Plan plan = t.plan({loss});
  for (int pass = 0; pass < 3; ++pass) {
    t.forward(plan, Pass{});
    t.backward(plan, Pass{}, loss);
    EXPECT_FLOAT_EQ(p.grad(0, 0), 4.0f);
  }
}

TEST(TapeTest, BackwardWantsAScalarThatDependsOnAParameter) {
  Param p("p", 2, 1);
  Tape t;
  Var x = t.param(p);
  EXPECT_THROW(t.backward(t.plan({x}), Pass{}, x), Error);
  Var c = t.constant(Matrix(1, 1));
  EXPECT_THROW(t.backward(t.plan({c}), Pass{}, c), Error);
}

}  // namespace
}  // namespace scrl
