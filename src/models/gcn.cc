#include "models/gcn.h"

#include <cmath>

namespace scrl {

void bind(OptionSet& set, GcnOptions& o) {
  set.add("hidden1", o.hidden1, between(1, 65536), "width of the hidden layer");
  set.add("dropout", o.dropout, between(0, 0.99), "share of hidden units dropped in training");
  set.add("input_dropout", o.input_dropout, between(0, 0.99),
          "share of stored feature values dropped in training");
}

Gcn::Gcn(const Inputs& in, const SparseOperand& A, const GcnOptions& o) {
  const double r1 = 1 / std::sqrt(o.hidden1), r2 = 1 / std::sqrt(in.classes);
  Var W1 = tape.param(uniform_param("W1", in.X.A.cols, o.hidden1, r1, in.seed));
  Var b1 = tape.param(uniform_param("b1", 1, o.hidden1, r1, in.seed));
  Var W2 = tape.param(uniform_param("W2", o.hidden1, in.classes, r2, in.seed));
  Var b2 = tape.param(uniform_param("b2", 1, in.classes, r2, in.seed));

  Var XW = dropout_spmm(in.X, W1, static_cast<float>(o.input_dropout));
  Var H = bias_relu_dropout(spmm(A, XW), b1, static_cast<float>(o.dropout));
  Var Y = add_bias(spmm(A, matmul(H, W2)), b2);
  embedding = H;
  classify(in, Y);
}

}  // namespace scrl
