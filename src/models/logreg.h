// models/logreg.h: multinomial logistic regression on the features of a node, no graph.
//
//   Y = log softmax(X W_0 + b)
//   min_W  1/2 |W|^2 + C sum_i NLL(Y_i), as linear/hop_regression.h says for hop 0
// Rows of X have length 1; the bias is penalised like the weights. C is chosen by cross-validation
// on the training labels. Fitted once, in the first epoch (models/sgc.h). The embedding is the
// input of the softmax.
#pragma once
#include "models/sgc.h"

namespace scrl {

struct LogregOptions {
  std::optional<double> C;  // none: by cross-validation
};
void bind(OptionSet& set, LogregOptions& o);

class Logreg : public Sgc {
 public:
  Logreg(const Inputs& in, const LogregOptions& o) : Sgc(in, {.hops = 0, .C = o.C}) {}
};

}  // namespace scrl
