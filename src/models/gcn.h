// models/gcn.h: GCN, Kipf and Welling, ICLR 2017, in the form of the pygcn code on which the AM-GCN
// and SCRL encoders are built; and kNN-GCN, the same on the feature graph.
//
//   H = drop(relu(A X W1 + b1))        (n,h)
//   Y = log softmax(A H W2 + b2)       (n,M)
//   L = NLL(Y, labelled nodes)
// A is the normalised operator with self-loops; weights and biases start in U(+-1/sqrt(out)). The
// embedding is H. Departures: pygcn has h = 16 and rows of X that sum to 1,
// with which it does not learn on graphs with many features per node (UAI2010, Flickr); the
// defaults here are h = 64 and rows of length 1.
#pragma once
#include "models/model.h"

namespace scrl {

struct GcnOptions {
  int hidden1 = 64;
  double dropout = 0.5, input_dropout = 0.0;
};
void bind(OptionSet& set, GcnOptions& o);

class Gcn : public Model {
 public:
  Gcn(const Inputs& in, const GcnOptions& o) : Gcn(in, *in.A_t, o) {}

 protected:
  Gcn(const Inputs& in, const SparseOperand& A, const GcnOptions& o);
};

}  // namespace scrl
