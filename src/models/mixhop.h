// models/mixhop.h: MixHop, Abu-El-Haija et al., ICML 2019, as the authors' code has it.
//
//   U = unit rows of drop(X), counts in X as 0 and 1             (n,d)
//   H = drop(relu(norm([U W_0 | A U W_1 | A^2 U W_2])))         (n,h0+h1+h2)
//   O = [H V_0 | A H V_1 | A^2 H V_2]                           (n,c M)  c segments of width M
//   Y = log softmax(sum_s softmax(q)_s O_s)                     (n,M)
//   L = NLL(Y, labelled nodes) + lambda sum_W [ sum_c |W_:c| + |W|^2 ] + 1e-3 mean(q^2)
// A = D^-1/2 (A+I) D^-1/2. norm: batch normalisation over all nodes with a learned offset and no
// scale, in evaluation too. Glorot weights, no biases. Trained by plain gradient descent whose step
// falls linearly. The powers act on the narrow side: A (U W_1), A (A (U W_2)).
#pragma once
#include "models/model.h"

namespace scrl {

struct MixhopOptions {
  int hop0 = 20, hop1 = 20, hop2 = 20;              // hidden units per power
  int segments0 = 1, segments1 = 1, segments2 = 1;  // output segments per power
  double dropout = 0.9, input_dropout = 0.5;
  double penalty = 5e-3;  // lambda
};
void bind(OptionSet& set, MixhopOptions& o);

class Mixhop : public Model {
 public:
  Mixhop(const Inputs& in, const MixhopOptions& o);
};

}  // namespace scrl
