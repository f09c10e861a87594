#include "models/gprgnn.h"

#include <cmath>

#include "models/appnp.h"

namespace scrl {

void bind(OptionSet& set, GprgnnOptions& o) {
  set.add("hidden1", o.hidden1, between(1, 65536), "width of the hidden layer");
  set.add("hops", o.hops, between(0, 1000), "largest power of the adjacency K");
  set.add("alpha", o.alpha, between(0, 1),
          "teleport probability of the PageRank weights that training starts from");
  set.add("dropout", o.dropout, between(0, 0.99),
          "share of stored feature values and of hidden units dropped in training");
  set.add("dprate", o.dprate, between(0, 0.99),
          "share of the values to be propagated that is dropped in training");
}

Gprgnn::Gprgnn(const Inputs& in, const GprgnnOptions& o) {
  const float drop = static_cast<float>(o.dropout);
  const Index d = in.X.A.cols, h = o.hidden1;
  const double r1 = 1 / std::sqrt(d), r2 = 1 / std::sqrt(h);
  Var W1 = tape.param(uniform_param("W1", d, h, r1, in.seed));
  Var b1 = tape.param(uniform_param("b1", 1, h, r1, in.seed));
  Var W2 = tape.param(uniform_param("W2", h, in.classes, r2, in.seed));
  Var b2 = tape.param(uniform_param("b2", 1, in.classes, r2, in.seed));
  Param& weights = constant_param("gamma", 1, o.hops + 1, 0.0f);
  weights.value = pagerank_weights(o.alpha, o.hops);
  weights.decay = false;
  Var gamma = tape.param(weights);

  Var H = bias_relu_dropout(dropout_spmm(in.X, W1, drop), b1, drop);
  Var Z = dropout(add_bias(matmul(H, W2), b2), static_cast<float>(o.dprate));
  Var Y = spmm_polynomial(*in.A_t, Z, gamma);
  embedding = spmm_polynomial(*in.A_t, H, gamma);
  classify(in, Y);
}

}  // namespace scrl
