#include "models/demonet.h"

namespace scrl {

void bind(OptionSet& set, DemonetOptions& o) {
  set.add("hidden1", o.hidden1, between(1, 65536), "width of both hidden layers");
  set.add("dropout", o.dropout, between(0, 0.99),
          "share dropped in training of what comes from neighbours and from the node itself");
}

Var Demonet::layer(const Inputs& in, const std::string& name, Var H, Index out, float drop) {
  const bool first = H.node() == nullptr;  // then h is the sparse X
  const Index from = first ? in.X.A.cols : H.cols();
  const double bound = glorot(from, out);
  Var W_g = tape.param(glorot_param("W_g_" + name, from, out, in.seed));
  Var W_k;
  if (degrees_.groups > 0) {  // else no node has neighbours
    const Index all = first ? by_degree_.A.cols : degrees_.groups * from;
    W_k = tape.param(uniform_param("W_k_" + name, all, out, bound, in.seed));
  }
  Var W_s = tape.param(glorot_param("W_s_" + name, from, out, in.seed));
  Var b = tape.param(constant_param("b_" + name, 1, out, 0.0f));

  Var near, own;
  if (first) {
    near = spmm(mean_, spmm(in.X, W_g));
    if (W_k.node()) near = near + spmm(by_degree_, W_k);
    own = spmm(in.X, W_s);
  } else {
    Var m = spmm(mean_, H);
    near = matmul(m, W_g);
    if (W_k.node()) near = near + grouped_matmul(m, W_k, degrees_.of_node);
    own = matmul(H, W_s);
  }
  near = dropout(near, drop);
  own = dropout(own, drop);
  return add_bias(near + own, b);
}

Demonet::Demonet(const Inputs& in, const DemonetOptions& o)
    : degrees_(degree_groups(*in.edges)),
      mean_(sparse_operand(neighbour_mean(*in.edges), in.X.gathers)),
      by_degree_(sparse_operand(degree_features(*in.edges, degrees_, in.X.A), in.X.gathers)) {
  const float drop = static_cast<float>(o.dropout);
  Var H1 = elu(layer(in, "1", {}, o.hidden1, drop));
  Var H2 = elu(layer(in, "2", H1, o.hidden1, drop));
  Var Y = layer(in, "3", H2, in.classes, drop);
  embedding = H2;
  classify(in, Y);
}

}  // namespace scrl
