// models/grand.h: GRAND, Feng et al., NeurIPS 2020: whole nodes are dropped before mixed-order
// propagation, and several such augmentations of the graph have to agree.
//
//   P_s = 1/(K+1) sum_k A^k M_s / (1-delta)        k = 0..K, M_s a diagonal of 0 and 1
//   H_s = drop(relu(P_s drop(X) W1 + b1))          (n,h)   s = 1..S
//   Y_s = log softmax(H_s W2 + b2)                 (n,M)
//   Q   = rows of [mean_s exp(Y_s)]^(1/T), scaled to sum 1; a target, no gradient
//   L   = mean_s NLL(Y_s, labelled nodes) + lambda mean_s mean_i |exp(Y_s)_i - Q_i|^2
// A = D^-1/2 (A+I) D^-1/2. DropNode keeps a node with probability 1 - delta, others in every epoch
// and augmentation; in evaluation M = (1-delta) I and nothing else is dropped. Weights and biases
// start in U(+-1/sqrt(out)). The embedding is H.
//
// Dropping rows and propagating are linear in X, so both act on X W1: A^k (M X) W1 = A^k (M X W1).
// The authors drop values of the propagated features, which are dense; here stored values of X are
// dropped before they are propagated, a weaker noise, for the mean of neighbours evens it out.
//
// Other departures: the authors set K, S, T, the dropout rates, the learning rate and batch
// normalisation for each data set. Here they are constants, K and lr chosen on validation nodes of
// Citeseer, UAI2010, Flickr and PubMed, and there is no batch normalisation, which changed little
// on PubMed. Rows of X have length 1 by default instead of sum 1, as in gcn.h.
#pragma once
#include "models/model.h"

namespace scrl {

struct GrandOptions {
  int hidden1 = 32, order = 5, augmentations = 4;
  double dropnode = 0.5, dropout = 0.5, input_dropout = 0.5;
  double temperature = 0.5, lambda = 1.0;
};
void bind(OptionSet& set, GrandOptions& o);

class Grand : public Model {
 public:
  Grand(const Inputs& in, const GrandOptions& o);
};

}  // namespace scrl
