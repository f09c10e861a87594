// models/gat.h: GAT, Velickovic et al., ICLR 2018, as the authors' code has it.
//
// Each head of a layer, on its own dropped input:
//   G = drop(H) W,  s = G a_s + b_s,  t = G a_t + b_t
//   P_ij = softmax_j leaky_relu_0.2(s_i + t_j)  over neighbours j of i and i itself
//   O_i = sum_j drop(P)_ij drop(G)_j + b
// First layer: `heads` heads of `hidden1` units, elu, side by side. Second: `out_heads` heads of M
// units, averaged; log softmax; NLL on the labelled nodes. Glorot weights, zero
// biases, weight decay on everything. The attention lives on the edges: memory is heads * edges.
// The authors let rows of X sum to 1, which on graphs with hundreds of features per node leaves too
// little to learn from; rows have length 1 by default here.
#pragma once
#include "models/model.h"

namespace scrl {

struct GatOptions {
  int hidden1 = 8, heads = 8, out_heads = 1;
  double dropout = 0.6;
};
void bind(OptionSet& set, GatOptions& o);

class Gat : public Model {
 public:
  Gat(const Inputs& in, const GatOptions& o);

 private:
  // All heads of a layer, given what each makes of its own dropped input.
  Var layer(const Inputs& in, const std::string& name, std::vector<Var> G, float drop);
};

}  // namespace scrl
