// models/linear_probe.h: classifiers for models that learn without labels.
//
//   Y = log softmax(R W + b),  R = Z or its unit rows
// W and b are fitted once, when the embedding Z is final, to the labelled nodes (src/linear). They
// are parameters that no optimiser touches, so a model file carries them like any other.
#pragma once
#include "models/model.h"

namespace scrl {

enum class Head {
  kSoftmax,         // 100 steps of Adam from many starts (DGI)
  kOneVsRest,       // logistic regression per class, C = 1 (DeepWalk, LINE)
  kCrossValidated,  // the same on unit rows, C by cross-validation (GRACE)
};

// Adds the classifier to a model and sets its log_probs and fit_classifier. Probabilities of a
// one-vs-rest head are the softmax of its scores, which keeps their order.
void linear_probe(Model& model, const Inputs& in, Var Z, Head head);

}  // namespace scrl
