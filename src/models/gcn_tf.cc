#include "models/gcn_tf.h"

namespace scrl {

void bind(OptionSet& set, GcnTfOptions& o) {
  set.add("hidden1", o.hidden1, between(1, 65536), "width of the hidden layer");
  set.add("dropout", o.dropout, between(0, 0.99),
          "share of stored feature values and of hidden units dropped in training");
}

GcnTf::GcnTf(const Inputs& in, const GcnTfOptions& o) {
  const float drop = static_cast<float>(o.dropout);
  Var W1 = tape.param(glorot_param("W1", in.X.A.cols, o.hidden1, in.seed));
  Var W2 = tape.param(glorot_param("W2", o.hidden1, in.classes, in.seed));
  W2.node()->param->decay = false;

  Var H = relu_dropout(spmm(*in.A_t, dropout_spmm(in.X, W1, drop)), drop);
  Var Y = spmm(*in.A_t, matmul(H, W2));
  embedding = H;
  classify(in, Y);
}

}  // namespace scrl
