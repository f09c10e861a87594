#include "models/gat.h"

#include "base/error.h"

namespace scrl {

void bind(OptionSet& set, GatOptions& o) {
  set.add("hidden1", o.hidden1, between(1, 65536), "units of a head of the first layer");
  set.add("heads", o.heads, between(1, 1024), "heads of the first layer");
  set.add("out_heads", o.out_heads, between(1, 1024), "heads of the second layer, averaged");
  set.add("dropout", o.dropout, between(0, 0.99),
          "share dropped in training of inputs, attention and what it weighs");
}

Var Gat::layer(const Inputs& in, const std::string& name, std::vector<Var> heads, float drop) {
  const Index count = static_cast<Index>(heads.size()), units = heads.front().cols();
  const auto scorer = [&](Var G, const std::string& side) {
    // Each head has a layer units -> 1.
    Var a = tape.param(uniform_param(name + "_a_" + side, count, units, glorot(units, 1), in.seed));
    Var b = tape.param(constant_param(name + "_b_" + side, 1, count, 0.0f));
    return add_bias(head_dots(G, a), b);
  };
  Var G = concat_columns(std::move(heads));
  Var s = scorer(G, "s"), t = scorer(G, "t");
  Var b = tape.param(constant_param(name + "_b", 1, count * units, 0.0f));
  return add_bias(attention(*in.A_t, s, t, dropout(G, drop), drop), b);
}

Gat::Gat(const Inputs& in, const GatOptions& o) {
  const float drop = static_cast<float>(o.dropout);
  const Index d = in.X.A.cols, h = o.hidden1, width = o.heads * h, M = in.classes;
  std::vector<Var> G;
  for (int k = 0; k < o.heads; ++k)
    G.push_back(dropout_spmm(in.X, tape.param(glorot_param(cat("W1_", k), d, h, in.seed)), drop));
  Var H = elu(layer(in, "l1", std::move(G), drop));

  std::vector<Var> F;
  for (int k = 0; k < o.out_heads; ++k)
    F.push_back(
        matmul(dropout(H, drop), tape.param(glorot_param(cat("W2_", k), width, M, in.seed))));
  Var Y = layer(in, "l2", std::move(F), drop);
  if (o.out_heads > 1) Y = mix_segments(Y, tape.constant(Matrix(1, o.out_heads)));  // their mean
  embedding = H;
  classify(in, Y);
}

}  // namespace scrl
