#include "models/gcn_encoder.h"

#include <cmath>

#include "kernels/products.h"

namespace scrl {

Var gcn_encoder(Model& model, const Inputs& in, const SparseOperand& A, const EncoderOptions& o,
                const std::string& view) {
  // The published layers draw weight and bias from U(+-1/sqrt(out)).
  const double r1 = 1 / std::sqrt(o.hidden1), r2 = 1 / std::sqrt(o.hidden2);
  const float drop = static_cast<float>(o.dropout);
  const Index n = in.X.A.rows, d = in.X.A.cols;
  const Layout wide = kernels::gather_layout(n, o.hidden1);
  const auto param = [&](const char* name, Index rows, Index cols, double bound,
                         Layout layout = Layout::kRows) {
    return model.tape.param(
        model.uniform_param(cat(name, "_", view), rows, cols, bound, in.seed, layout));
  };
  Var W1 = param("W1", d, o.hidden1, r1, kernels::gather_layout(d, o.hidden1));
  Var b1 = param("b1", 1, o.hidden1, r1);
  Var W2 = param("W2", o.hidden1, o.hidden2, r2);
  Var b2 = param("b2", 1, o.hidden2, r2);
  Var XW = dropout_spmm(in.X, W1, static_cast<float>(o.input_dropout), wide);
  Var HW = hidden_matmul(spmm(A, XW, wide), b1, drop, W2, kernels::gather_layout(n, o.hidden2));
  return bias_relu_dropout(spmm_powers(A, HW, o.hops), b2, drop);
}

}  // namespace scrl
