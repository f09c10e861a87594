// models/demonet.h: DEMO-Net, Wu, He and Xu, KDD 2019, in its "weight" form, the one that the
// authors' code runs.
//
//   O_i = drop(m_i (W_g + W_deg(i))) + drop(h_i W_s) + b,   m_i = mean of h_j over neighbours j
// with one matrix W_k per degree k that occurs; a node without neighbours has drop(h_i W_g) instead
// of the first term. Two such layers with elu, a third to the classes; log softmax; NLL on the
// labelled nodes. Glorot weights, zero biases, weight decay on everything. The authors' own graphs
// have no features to scale; rows of X have length 1 by default here.
//
// In the first layer m is sparse, and the W_k of all degrees are one matrix below each other that a
// single sparse product meets (graph/degree_features.h); rows of it that no node would use are left
// out, which changes nothing. It is still by far the largest matrix of all methods here: pairs of
// degree and feature times hidden1.
#pragma once
#include "graph/degree_features.h"
#include "models/model.h"

namespace scrl {

struct DemonetOptions {
  int hidden1 = 64;
  double dropout = 0.6;
};
void bind(OptionSet& set, DemonetOptions& o);

class Demonet : public Model {
 public:
  Demonet(const Inputs& in, const DemonetOptions& o);

 private:
  Var layer(const Inputs& in, const std::string& name, Var H, Index out, float drop);

  DegreeGroups degrees_;
  SparseOperand mean_, by_degree_;
};

}  // namespace scrl
