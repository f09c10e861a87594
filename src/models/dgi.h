// models/dgi.h: Deep Graph Infomax, Velickovic et al., ICLR 2019, as the authors' code has it.
//
//   H  = prelu(A X W + b)                        (n,h)
//   H~ = prelu(A X~ W + b),  X~ = shuffled rows of X: computed as shuffled rows of X W
//   s  = sigmoid(mean_i H_i)                     (1,h)
//   f(h) = h . (W_d s) + b_d
//   L  = 1/2 [ BCE(f(H), 1) + BCE(f(H~), 0) ]
// A = D^-1/2 (A+I) D^-1/2, rows of X sum to 1, Glorot weights, zero biases, slope 0.25 at first. No
// label is seen. The epoch with the lowest loss counts, and H is classified by logistic regression
// (linear/softmax_adam.h).
#pragma once
#include "models/model.h"

namespace scrl {

struct DgiOptions {
  int hidden1 = 512;
};
void bind(OptionSet& set, DgiOptions& o);

class Dgi : public Model {
 public:
  Dgi(const Inputs& in, const DgiOptions& o);
};

}  // namespace scrl
