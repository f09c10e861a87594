#include "autograd/graph_steps.h"
#include "autograd/ops.h"
#include "base/error.h"
#include "kernels/products.h"
#include "kernels/reduce.h"

namespace scrl {

Var spmm_polynomial(const SparseOperand& S, Var X, Var gamma) {
  check(S.A.rows == S.A.cols && S.A.cols == X.rows(), "spmm_polynomial: A is ", S.A.rows, "x",
        S.A.cols, ", X is ", X.rows(), "x", X.cols(),
        "; A must be square with a column for each row of X");
  check(gamma.rows() == 1 && gamma.cols() >= 1, "spmm_polynomial: gamma must be one row, got ",
        gamma.rows(), "x", gamma.cols());
  // The current power times the operand, and the next one.
  struct Work {
    Matrix power, next;
  };
  auto work = std::make_shared<Work>();
  for (Matrix* m : {&work->power, &work->next}) *m = Matrix(X.rows(), X.cols(), X.value().layout());
  auto steps = std::make_shared<GraphSteps>(S, X);
  // visit(k, A^k x) for every k; A^0 x is x itself. multiply(k, x, out) is product number k.
  const auto each_power = [work, gamma](const Matrix& x, const auto& multiply, const auto& visit) {
    const Matrix* at = &x;
    for (Index k = 0; k < gamma.cols(); ++k) {
      if (k > 0) {
        multiply(static_cast<int>(k) - 1, *at, work->next);
        std::swap(work->power, work->next);
        at = &work->power;
      }
      visit(k, *at);
    }
  };
  const Var product = X.tape().record(
      "spmm_polynomial", {X, gamma}, X.rows(), X.cols(),
      [X, gamma, each_power, steps](const Pass& pass, Matrix& out) {
        const auto multiply = [&](int k, const Matrix& x, Matrix& to) {
          steps->multiply(pass, k, x, to, false);
        };
        each_power(X.value(), multiply, [&](Index k, const Matrix& power) {
          kernels::scale(gamma.value()(0, k), power, out, /*accumulate=*/k > 0);
        });
      },
      [&S, X, gamma, each_power](const Pass&, const Matrix&, const Matrix& dout) {
        // With P_k = (A^T)^k dout: dX = sum_k gamma_k P_k and dgamma_k = <X, P_k>, so that the
        // powers of the forward pass need not be kept.
        Matrix *dX = nullptr, *dgamma = nullptr;
        bool add_X = false, add_gamma = false;
        if (X.needs_grad()) {
          auto [d, add] = X.sink();
          dX = &d, add_X = add;
        }
        if (gamma.needs_grad()) {
          auto [d, add] = gamma.sink();
          dgamma = &d, add_gamma = add;
        }
        const auto multiply = [&](int, const Matrix& x, Matrix& to) {
          kernels::spmm(S.At, x, to, /*accumulate=*/false, S.gathers);
        };
        each_power(dout, multiply, [&](Index k, const Matrix& power) {
          if (dX) kernels::scale(gamma.value()(0, k), power, *dX, add_X || k > 0);
          if (dgamma)
            (*dgamma)(0, k) = (add_gamma ? (*dgamma)(0, k) : 0.0f) +
                              static_cast<float>(kernels::dot(X.value(), power));
        });
      },
      /*random=*/false, X.value().layout());
  Node& node = *product.node();
  steps->belong_to(node);
  const double width = static_cast<double>(X.cols()), powers = static_cast<double>(gamma.cols()),
               entries = static_cast<double>(S.A.nnz()) * (powers - 1);
  node.forward_cost = {
      .flops = 2 * entries * width,
      .streamed = 4 * powers * bytes(X.value()) + entries * (sizeof(float) + sizeof(NodeId)),
      .gathered = entries * width * gathered_bytes(S.gathers)};
  node.backward_cost = node.forward_cost;
  if (gamma.needs_grad()) node.backward_cost.streamed += 2 * powers * bytes(X.value());
  node.work_floats = 2 * product.value().size();
  node.sparse = {.operand = &S, .products = static_cast<int>(gamma.cols()) - 1};
  return product;
}

}  // namespace scrl
