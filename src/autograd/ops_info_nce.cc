#include "autograd/ops.h"
#include "base/error.h"
#include "kernels/info_nce.h"

namespace scrl {

Var info_nce(Var U, Var V, float tau) {
  check(U.value().same_shape(V.value()) && U.rows() > 0, "contrast: U is ", U.rows(), "x", U.cols(),
        ", V is ", V.rows(), "x", V.cols(), "; the shapes must agree, with rows");
  check(U.node() != V.node(), "contrast: U and V must be two matrices");
  check(tau >= 0.0125f, "contrast: tau must be 0.0125 or more, got ", tau);
  auto sums = std::make_shared<std::vector<double>>(static_cast<std::size_t>(2 * U.rows()));
  const Var loss = U.tape().record(
      "info_nce", {U, V}, 1, 1,
      [U, V, tau, sums](const Pass&, Matrix& out) {
        out(0, 0) = static_cast<float>(kernels::info_nce(U.value(), V.value(), tau, *sums));
      },
      [U, V, tau, sums](const Pass&, const Matrix&, const Matrix& dout) {
        kernels::InfoNceGradients to = {};
        const auto open = [](Var v, Matrix*& grad, bool& add) {
          if (!v.needs_grad()) return;
          const GradSink sink = v.sink();
          grad = &sink.grad, add = sink.add;
        };
        open(U, to.dU, to.add_dU), open(V, to.dV, to.add_dV);
        kernels::info_nce_backward(U.value(), V.value(), tau, *sums, dout(0, 0), to);
      });
  // Each pair of the 2n rows is multiplied once, and for the gradient again, with both its rows.
  const double rows = 2.0 * static_cast<double>(U.rows());
  const double flops = rows * rows * static_cast<double>(U.cols());
  loss.node()->forward_cost.flops = flops;
  loss.node()->backward_cost.flops = 3.0 * flops;
  return loss;
}

}  // namespace scrl
