// models/gcn_tf.h: GCN, Kipf and Welling, ICLR 2017, as their own code on the Planetoid splits has
// it.
//
//   H = drop(relu(A drop(X) W1))       (n,h)
//   Y = log softmax(A H W2)            (n,M)
//   L = NLL(Y, labelled nodes)
// A = D^-1/2 (A+I) D^-1/2, rows of X sum to 1, Glorot weights, no biases, weight decay on W1 only.
// models/gcn.h is the form on which the AM-GCN and SCRL encoders are built; both are compared with.
#pragma once
#include "models/model.h"

namespace scrl {

struct GcnTfOptions {
  int hidden1 = 16;
  double dropout = 0.5;
};
void bind(OptionSet& set, GcnTfOptions& o);

class GcnTf : public Model {
 public:
  GcnTf(const Inputs& in, const GcnTfOptions& o);
};

}  // namespace scrl
