#include "models/mlp.h"

namespace scrl {

void bind(OptionSet& set, MlpOptions& o) {
  set.add("hidden1", o.hidden1, between(1, 65536), "width of the hidden layer");
  set.add("dropout", o.dropout, between(0, 0.99), "share of hidden units dropped in training");
  set.add("input_dropout", o.input_dropout, between(0, 0.99),
          "share of stored feature values dropped in training");
}

Mlp::Mlp(const Inputs& in, const MlpOptions& o) {
  const Index d = in.X.A.cols, h = o.hidden1, M = in.classes;
  Var W1 = tape.param(glorot_param("W1", d, h, in.seed));
  Var W2 = tape.param(glorot_param("W2", h, M, in.seed));
  W2.node()->param->decay = false;

  Var H = relu_dropout(dropout_spmm(in.X, W1, static_cast<float>(o.input_dropout)),
                       static_cast<float>(o.dropout));
  Var Y = matmul(H, W2);
  embedding = H;
  classify(in, Y);
}

}  // namespace scrl
