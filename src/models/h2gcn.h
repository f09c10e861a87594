// models/h2gcn.h: H2GCN, Zhu et al., NeurIPS 2020: ego and neighbours apart, two hops apart, and
// all rounds side by side, for graphs whose edges often join different classes.
//
//   R_0 = relu(X W1)                               (n,h)
//   R_r = [N1 R_{r-1} | N2 R_{r-1}]                (n,2^r h)   r = 1..rounds
//   R   = [R_0 | R_1 | ... ]                       (n,(2^{rounds+1} - 1) h)
//   Y   = log softmax(drop(R) W2)                  (n,M)
//   L   = NLL(Y, labelled nodes)
// N1 = D^-1/2 A D^-1/2 without loops, N2 the neighbours exactly two hops away, likewise normalised.
// Edges count once, whatever their weights. Glorot weights, no biases, weight decay on both. The
// embedding is R.
// Departures: in the paper all pairs in N2 weigh the same before normalisation, which takes a list
// of them, at worst n^2. Here a pair weighs sum_k 1/D_k over its common neighbours k: the same
// pairs, those with many or rare paths more, in memory linear in nodes and edges (graph/two_hop.h).
// Rows of X have length 1 by default, as in gcn.h.
#pragma once
#include "graph/two_hop.h"
#include "models/model.h"

namespace scrl {

struct H2gcnOptions {
  int hidden1 = 64, rounds = 2;
  double dropout = 0.5, input_dropout = 0.0;
};
void bind(OptionSet& set, H2gcnOptions& o);

class H2gcn : public Model {
 public:
  H2gcn(const Inputs& in, const H2gcnOptions& o);

 private:
  void take_graph(const Inputs& in);
  void take_new_edges(const Inputs& in);

  std::vector<double> scale_;                // TwoHop::scale
  SparseOperand near_, walk_, back_, rest_;  // N1; N2 = walk back + rest, back = walk^T
};

}  // namespace scrl
