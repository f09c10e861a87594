#include "models/appnp.h"

namespace scrl {

void bind(OptionSet& set, AppnpOptions& o) {
  set.add("hidden1", o.hidden1, between(1, 65536), "width of the hidden layer");
  set.add("hops", o.hops, between(0, 1000), "propagation hops K");
  set.add("alpha", o.alpha, between(0, 1), "teleport probability of personalised PageRank");
  set.add("dropout", o.dropout, between(0, 0.99),
          "share of stored feature values and of hidden units dropped in training");
}

Matrix pagerank_weights(double alpha, int hops) {
  Matrix out(1, hops + 1);
  double left = 1;  // (1-alpha)^k
  for (int k = 0; k < hops; ++k, left *= 1 - alpha) out(0, k) = static_cast<float>(alpha * left);
  out(0, hops) = static_cast<float>(left);
  return out;
}

Appnp::Appnp(const Inputs& in, const AppnpOptions& o) {
  const float drop = static_cast<float>(o.dropout);
  Var W1 = tape.param(glorot_param("W1", in.X.A.cols, o.hidden1, in.seed));
  Var W2 = tape.param(glorot_param("W2", o.hidden1, in.classes, in.seed));
  W2.node()->param->decay = false;
  Var gamma = tape.constant(pagerank_weights(o.alpha, o.hops));

  Var H = relu_dropout(dropout_spmm(in.X, W1, drop), drop);
  Var Y = spmm_polynomial(*in.A_t, matmul(H, W2), gamma);
  embedding = spmm_polynomial(*in.A_t, H, gamma);
  classify(in, Y);
}

}  // namespace scrl
