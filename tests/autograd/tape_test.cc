#include "autograd/tape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

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

TEST(TapeTest, AChangedParameterOutdatesOnlyWhatDependsOnIt) {
  Param p("p", 1, 1), q("q", 1, 1);
  p.value(0, 0) = 3;
  q.value(0, 0) = 5;
  Tape t;
  int of_p = 0, of_q = 0;
  Var a = counted(t.param(p), &of_p).v, b = counted(t.param(q), &of_q).v;
  Var both = a + b;
  const Plan plan = t.plan({both});
  t.forward(plan, Pass{});
  q.value(0, 0) = 7;
  t.param_changed(q);
  t.forward(plan, Pass{});
  EXPECT_EQ(of_p, 1);
  EXPECT_EQ(of_q, 2);
  EXPECT_EQ(both.scalar(), 20.0f);
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

// Two sparse products around a hidden layer: every kind of product there is.
struct Network {
  Param X{"X", 4, 6}, b{"b", 1, 6}, W{"W", 6, 3}, V{"V", 3, 3};
  SparseOperand A = sparse_operand(csr_from_triplets(
      4, 4, std::vector<NodeId>{0, 1, 1, 2, 3}, std::vector<NodeId>{1, 0, 3, 2, 0},
      std::vector<float>{1, 2, -1, 3, 1}, Dup::kSum));
  Tape tape;
  Var loss;

  explicit Network(float p) {
    std::uint32_t stream = 0;
    for (Param* param : params()) {
      const Rng rng(3, Purpose::kTest, ++stream);
      for (Index i = 0; i < param->value.rows(); ++i)
        for (Index j = 0; j < param->value.cols(); ++j)
          param->value(i, j) = rng.uniform_at(static_cast<std::uint64_t>(i * 8 + j)) - 0.5f;
    }
    const Var hidden = hidden_matmul(spmm(A, tape.param(X)), tape.param(b), p, tape.param(W));
    const Var scores = matmul(dropout_spmm(A, hidden, p), tape.param(V));
    loss = nll(log_softmax(matmul_transposed(scores, tape.param(V))), {0, 2, 1, 0});
  }
  std::vector<Param*> params() { return {&X, &b, &W, &V}; }
  // The loss and all gradients of one training step.
  std::vector<float> step(std::uint32_t epoch) {
    const Plan plan = tape.plan({loss});
    const Pass pass{.training = true, .seed = 9, .epoch = epoch};
    tape.forward(plan, pass);
    tape.backward(plan, pass, loss);
    std::vector<float> all = {loss.scalar()};
    for (const Param* param : params()) {
      const std::vector<float> grad = param->grad.packed();
      all.insert(all.end(), grad.begin(), grad.end());
    }
    return all;
  }
  void evaluate() { tape.forward(tape.plan({loss}), Pass{}); }
};

TEST(TapeTest, TheObserverHearsEachOpOncePerDirection) {
  Network watched(0.5f), alone(0.5f);
  std::map<const Node*, std::array<int, 2>> heard;
  watched.tape.observe([&](const Node& node, Direction direction, double seconds) {
    ++heard[&node][direction == Direction::kBackward];
    EXPECT_GE(seconds, 0.0);
  });
  const std::vector<float> first = watched.step(1);
  EXPECT_EQ(first, alone.step(1)) << "watching changed the result";
  const std::set<std::string> products = {"spmm", "dropout_spmm", "matmul", "matmul_transposed",
                                          "hidden_matmul"};
  std::set<std::string> seen;
  for (const auto& node : watched.tape.nodes()) {
    SCOPED_TRACE(node->op);
    if (!node->forward) {
      EXPECT_FALSE(heard.contains(node.get()));
      continue;
    }
    EXPECT_EQ(heard[node.get()], (std::array<int, 2>{1, 1}));
    seen.insert(node->op);
    for (const Cost* cost : {&node->forward_cost, &node->backward_cost}) {
      EXPECT_GT(cost->streamed, 0.0);
      EXPECT_EQ(cost->flops > 0.0, products.contains(node->op));
      EXPECT_EQ(cost->gathered > 0.0, std::string_view(node->op).ends_with("spmm"));
    }
  }
  EXPECT_TRUE(std::includes(seen.begin(), seen.end(), products.begin(), products.end()));
  watched.tape.observe(nullptr);
  watched.step(2);
  for (const auto& [node, counts] : heard) EXPECT_EQ(counts, (std::array<int, 2>{1, 1}));
}

// What an op keeps for its backward pass must be that of the training pass.
TEST(TapeTest, EvaluationDoesNotDisturbTraining) {
  for (const float p : {0.0f, 0.5f}) {
    SCOPED_TRACE(p);
    Network plain(p), evaluated(p);
    evaluated.evaluate();
    for (const std::uint32_t epoch : {1u, 2u, 2u}) {
      EXPECT_EQ(evaluated.step(epoch), plain.step(epoch)) << epoch;
      evaluated.evaluate();
      for (Network* network : {&plain, &evaluated}) {
        if (epoch > 1) continue;  // the third step meets the parameters of the second again
        for (Param* param : network->params()) param->value(0, 0) += 0.5f;
        network->tape.params_changed();
      }
      evaluated.evaluate();
    }
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
