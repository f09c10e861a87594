// models/mlp.h: two dense layers on the features alone; what the graph adds is measured against it.
//
//   H = drop(relu(drop(X) W1))         (n,h)
//   Y = log softmax(H W2)              (n,M)
//   L = NLL(Y, labelled nodes)
// Glorot weights, no biases, weight decay on W1 only: the "dense" model of Kipf and Welling's code,
// but for h = 64 and rows of X of length 1 instead of sum 1.
#pragma once
#include "models/model.h"

namespace scrl {

struct MlpOptions {
  int hidden1 = 64;
  double dropout = 0.5, input_dropout = 0.5;
};
void bind(OptionSet& set, MlpOptions& o);

class Mlp : public Model {
 public:
  Mlp(const Inputs& in, const MlpOptions& o);
};

}  // namespace scrl
