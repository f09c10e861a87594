#include "models/grace.h"

#include <algorithm>
#include <cmath>

#include "graph/new_nodes.h"
#include "models/linear_probe.h"
#include "models/new_operand.h"

namespace scrl {

void bind(OptionSet& set, GraceOptions& o) {
  set.add("hidden2", o.hidden2, between(1, 65536),
          "width of the embedding; the hidden layer has twice as many units");
  set.add("activation", o.activation, "of both layers");
  set.add("drop_edge_1", o.drop_edge_1, between(0, 0.99), "share of edges dropped in view 1");
  set.add("drop_edge_2", o.drop_edge_2, between(0, 0.99), "share of edges dropped in view 2");
  set.add("drop_feature_1", o.drop_feature_1, between(0, 0.99),
          "share of features dropped in view 1");
  set.add("drop_feature_2", o.drop_feature_2, between(0, 0.99),
          "share of features dropped in view 2");
  set.add("tau", o.tau, between(0.01, 100), "temperature of InfoNCE");
  set.add("negatives", o.negatives, between(0, 1e9),
          "number of nodes sampled as negatives per epoch; 0: all nodes");
}

Grace::Grace(const Inputs& in, const GraceOptions& o) {
  const Index d = in.X.A.cols, h = o.hidden2;
  Var W1 = tape.param(glorot_param("W1", d, 2 * h, in.seed));
  Var b1 = tape.param(constant_param("b1", 1, 2 * h, 0.0f));
  Var W2 = tape.param(glorot_param("W2", 2 * h, h, in.seed));
  Var b2 = tape.param(constant_param("b2", 1, h, 0.0f));
  Var slope;
  if (o.activation == Activation::kPrelu) slope = tape.param(constant_param("slope", 1, 1, 0.25f));
  const double r = 1 / std::sqrt(h);
  Var W3 = tape.param(uniform_param("W3", h, h, r, in.seed));
  Var b3 = tape.param(uniform_param("b3", 1, h, r, in.seed));
  Var W4 = tape.param(uniform_param("W4", h, h, r, in.seed));
  Var b4 = tape.param(uniform_param("b4", 1, h, r, in.seed));

  const auto encode = [&](double drop_edge, double drop_feature) {
    const float drop = static_cast<float>(drop_edge);
    const auto S = in.known ? edge_drop_view(new_operand(
                                  sym_normalized_pattern(*in.new_edges, *in.edges), in.X.gathers))
                            : edge_drop_view(tape, *in.edges, drop, in.X.gathers);
    Var SXW = spmm(S, spmm(in.X, drop_rows(W1, static_cast<float>(drop_feature))));
    if (!slope.node())
      return bias_relu_dropout(spmm(S, hidden_matmul(SXW, b1, 0.0f, W2)), b2, 0.0f);
    Var H = prelu(add_bias(SXW, b1), slope);
    return prelu(add_bias(spmm(S, matmul(H, W2)), b2), slope);
  };
  const auto project = [&](Var Z) {
    return l2_normalize_rows(add_bias(matmul(elu(add_bias(matmul(Z, W3), b3)), W4), b4));
  };
  Var Z_1 = encode(o.drop_edge_1, o.drop_feature_1);
  embedding = Z_1;  // in evaluation nothing is dropped
  linear_probe(*this, in, embedding, Head::kCrossValidated);
  if (in.train.empty()) return;
  Var Z_2 = encode(o.drop_edge_2, o.drop_feature_2);
  if (o.negatives > 0) {
    const std::vector<Var> Z = sample_rows({Z_1, Z_2}, std::min<Index>(o.negatives, Z_1.rows()));
    Z_1 = Z[0], Z_2 = Z[1];
  }
  loss = info_nce(project(Z_1), project(Z_2), static_cast<float>(o.tau));
}

}  // namespace scrl
