// Products whose operands and results are kept in panels: the same bits as in rows, and gradients
// that central differences confirm.
#include <gtest/gtest.h>

#include <functional>

#include "autograd/ops.h"
#include "base/error.h"

namespace scrl {
namespace {

void randomize(Matrix& m, std::uint32_t stream) {
  const Rng rng(12, Purpose::kTest, stream);
  for (Index i = 0; i < m.rows(); ++i)
    for (Index j = 0; j < m.cols(); ++j)
      m(i, j) = 2.0f * rng.uniform_at(static_cast<std::uint64_t>(i * m.cols() + j)) - 1.0f;
}

SparseOperand sparse(Index rows, Index cols) {
  std::vector<NodeId> r, c;
  std::vector<float> v;
  for (NodeId i = 0; i < rows; ++i)
    for (const NodeId step : {1, 3}) {
      r.push_back(i);
      c.push_back(static_cast<NodeId>((2 * i + step) % cols));
      v.push_back(0.5f * static_cast<float>(step) - 1.0f);
    }
  return sparse_operand(csr_from_triplets(rows, cols, r, c, v, Dup::kSum));
}

// A drop(relu(F X + b)) W, the shape of a graph convolution, every wide matrix in `layout`.
struct Convolution {
  SparseOperand F = sparse(5, 4), A = sparse(5, 5);
  Param X, b{"b", 1, 40}, W{"W", 40, 35};
  Tape tape;
  Var hidden, out, loss;
  Plan plan;

  Convolution(Layout layout, float p) : X("X", 4, 40, layout) {
    randomize(X.value, 1);
    randomize(W.value, 2);
    // F X is within (-1, 1): the sign of the sum is that of the bias, far from the kink of relu.
    for (Index j = 0; j < 40; ++j) b.value(0, j) = j % 3 == 0 ? -4.0f : 4.0f;
    hidden = spmm(F, tape.param(X), layout);
    out = dropout_spmm(A, hidden_matmul(hidden, tape.param(b), p, tape.param(W), layout), p);
    Matrix weights(5, 35);
    randomize(weights, 3);
    loss = soft_nll(tape.constant(weights), out);
    plan = tape.plan({loss});
  }
  std::vector<Param*> params() { return {&X, &b, &W}; }
  static constexpr Pass kPass{.training = true, .seed = 4, .epoch = 6};
  double value() {
    tape.params_changed();
    tape.forward(plan, kPass);
    return loss.scalar();
  }
};

TEST(PanelsTest, ValuesAndGradientsAreThoseOfRows) {
  for (const float p : {0.0f, 0.5f}) {
    SCOPED_TRACE(p);
    Convolution rows(Layout::kRows, p), panels(Layout::kPanels, p);
    EXPECT_EQ(panels.hidden.value().layout(), Layout::kPanels);
    EXPECT_EQ(panels.X.grad.layout(), Layout::kPanels);
    for (Convolution* c : {&rows, &panels}) {
      c->value();
      c->tape.backward(c->plan, Convolution::kPass, c->loss);
    }
    EXPECT_EQ(panels.hidden.value().packed(), rows.hidden.value().packed());
    EXPECT_EQ(panels.out.value().packed(), rows.out.value().packed());
    for (std::size_t k = 0; k < 3; ++k)
      EXPECT_EQ(panels.params()[k]->grad.packed(), rows.params()[k]->grad.packed()) << k;
  }
}

TEST(PanelsTest, GradientsMatchCentralDifferences) {
  for (const float p : {0.0f, 0.5f}) {
    Convolution c(Layout::kPanels, p);
    c.value();
    c.tape.backward(c.plan, Convolution::kPass, c.loss);
    for (Param* param : c.params()) {
      SCOPED_TRACE(cat(param->name, " p=", p));
      const Matrix grad = param->grad;
      bool some = false;
      for (Index i = 0; i < grad.rows(); ++i)
        for (Index j = 0; j < grad.cols(); ++j) {
          // The loss is linear in each number alone, so the step may be large.
          const float kept = param->value(i, j), h = 0.5f;
          param->value(i, j) = kept + h;
          const double up = c.value();
          param->value(i, j) = kept - h;
          const double down = c.value();
          param->value(i, j) = kept;
          ASSERT_NEAR(grad(i, j), (up - down) / (2.0 * h), 1e-3) << i << "," << j;
          some |= grad(i, j) != 0;
        }
      EXPECT_TRUE(some);
    }
  }
}

}  // namespace
}  // namespace scrl
