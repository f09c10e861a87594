// Labels and errors that spread over a graph; the parity test has whole methods.
#include "autograd/propagate.h"

#include <gtest/gtest.h>

#include <cmath>

#include "autograd/small.h"
#include "base/parallel.h"

namespace scrl {
namespace {

// A path of four nodes, normalised by hand: ends have degree 1, the others 2.
Csr path() {
  const float e = 1 / std::sqrt(2.0f);
  const std::vector<NodeId> r = {0, 1, 1, 2, 2, 3}, c = {1, 0, 2, 1, 3, 2};
  const std::vector<float> v = {e, e, 0.5f, 0.5f, e, e};
  return csr_from_triplets(4, 4, r, c, v, Dup::kSum);
}

TEST(PropagateTest, OneStepIsTheEquation) {
  const Csr S = path();
  Matrix F(4, 2);
  F(0, 0) = 1, F(3, 1) = 1;
  Propagator(S, 2).run({.alpha = 0.8f, .steps = 1}, F);
  EXPECT_NEAR(F(0, 0), 0.2, 1e-6);
  EXPECT_NEAR(F(1, 0), 0.8 / std::sqrt(2), 1e-6);
  EXPECT_EQ(F(2, 0), 0);
  EXPECT_NEAR(F(2, 1), 0.8 / std::sqrt(2), 1e-6);
}

TEST(PropagateTest, ManyStepsSolveTheEquation) {
  const Csr S = path();
  Matrix F(4, 1), SF(4, 1);
  F(1, 0) = 1;
  Propagator(S, 1).run({.alpha = 0.5f, .steps = 60}, F);
  for (Index i = 0; i < 4; ++i) {
    double sum = 0;
    for (Index e = S.row_ptr[i]; e < S.row_ptr[i + 1]; ++e)
      sum += double{S.val[e]} * F(S.col[e], 0);
    EXPECT_NEAR(F(i, 0), 0.5 * sum + (i == 1 ? 0.5 : 0), 1e-6);
  }
}

TEST(PropagateTest, ValuesStayWithinBounds) {
  const Csr S = csr_from_triplets(2, 2, std::vector<NodeId>{0, 1}, std::vector<NodeId>{1, 0},
                                  std::vector<float>{5, -5}, Dup::kSum);
  Matrix F(2, 1);
  F(0, 0) = 1, F(1, 0) = 1;
  Propagator(S, 1).run({.alpha = 1, .steps = 1, .low = -2, .high = 3}, F);
  EXPECT_EQ(F(0, 0), 3);
  EXPECT_EQ(F(1, 0), -2);
}

TEST(PropagateTest, SharesSumToOneAndNobodyIsImpossible) {
  Matrix F(2, 4), out(2, 4);
  F(0, 1) = 0.02f, F(0, 3) = 0.06f;
  log_shares(F, out);
  double sum = 0;
  for (Index c = 0; c < 4; ++c) {
    sum += std::exp(double{out(0, c)});
    EXPECT_NEAR(std::exp(out(1, c)), 0.25, 1e-6);
  }
  EXPECT_NEAR(sum, 1, 1e-6);
  EXPECT_NEAR(std::exp(out(0, 3)), 0.75 * 0.999 + 0.00025, 1e-6);
  EXPECT_NEAR(std::exp(out(0, 0)), 0.00025, 1e-7);
}

// Both ends are labelled; the base is sure, and wrong about node 0. Its error reaches node 1.
TEST(PropagateTest, AnErrorIsCorrectedAmongNeighbours) {
  const auto S = std::make_shared<const Csr>(path());
  Param base("base", 4, 2), targets("targets", 4, 1);
  for (Index i = 0; i < 4; ++i) base.value(i, 0) = -3, base.value(i, 1) = -0.05f;
  targets.value.fill(-1);
  targets.value(0, 0) = 0, targets.value(3, 0) = 1;
  const auto most_probable = [&](const CorrectSmoothOptions& o) {
    Tape t;
    Var P = correct_and_smooth(S, t.param(base), t.param(targets), o);
    t.forward(t.plan({P}), Pass{});
    EXPECT_FALSE(P.needs_grad());
    std::vector<int> out;
    for (Index i = 0; i < 4; ++i) out.push_back(P.value()(i, 1) > P.value()(i, 0));
    return out;
  };
  EXPECT_EQ(most_probable({}), (std::vector<int>{0, 0, 1, 1}));
  // Without both steps only what is known for sure changes.
  EXPECT_EQ(most_probable({.correct_steps = 0, .smooth_steps = 0}), (std::vector<int>{0, 1, 1, 1}));
}

TEST(PropagateTest, ThreadsDoNotChangeTheBits) {
  constexpr Index kNodes = 3000;
  std::vector<NodeId> r, c;
  for (NodeId i = 0; i < kNodes; ++i) r.push_back(i), c.push_back((i * 7 + 1) % kNodes);
  std::vector<float> v(r.size(), 0.9f);
  const auto S = std::make_shared<const Csr>(csr_from_triplets(kNodes, kNodes, r, c, v, Dup::kSum));
  Param base("base", kNodes, 5), targets("targets", kNodes, 1);
  base.value = random_matrix(kNodes, 5, 8);
  for (Index i = 0; i < kNodes; ++i)
    targets.value(i, 0) = i % 9 == 0 ? static_cast<float>(i % 5) : -1.0f;
  std::vector<float> first;
  for (const int count : {1, 2, 3}) {
    set_threads(count);
    Tape t;
    Var P = correct_and_smooth(S, t.param(base), t.param(targets), {});
    t.forward(t.plan({P}), Pass{});
    if (first.empty()) first = P.value().packed();
    EXPECT_EQ(first, P.value().packed()) << count << " threads";
  }
  set_threads(0);
}

}  // namespace
}  // namespace scrl
