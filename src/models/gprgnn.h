// models/gprgnn.h: GPR-GNN, Chien, Peng, Li and Milenkovic, ICLR 2021: generalised PageRank whose
// weights are learned.
//
//   H = drop(relu(drop(X) W1 + b1))                (n,h)
//   Z = drop'(H W2 + b2)                           (n,M)
//   Y = log softmax(sum_k gamma_k A^k Z)           (n,M)   k = 0..K
//   L = NLL(Y, labelled nodes)
// A = D^-1/2 (A+I) D^-1/2. gamma starts as personalised PageRank, gamma_k = alpha (1-alpha)^k and
// gamma_K = (1-alpha)^K, may become negative, and is free of weight decay; all else has it. Weights
// and biases start in U(+-1/sqrt(in)). The embedding is sum_k gamma_k A^k H, on which Y is linear
// but for the bias. The powers act on the narrow side, and the gradient of gamma needs none of them
// kept (autograd/ops_polynomial.cc).
// Departure: the authors scale rows of X to sum 1; here they have length 1 by default, as in gcn.h:
// with sum 1 it loses 35 points on UAI2010 with 20 labels per class.
#pragma once
#include "models/model.h"

namespace scrl {

struct GprgnnOptions {
  int hidden1 = 64, hops = 10;
  double alpha = 0.1, dropout = 0.5, dprate = 0.5;
};
void bind(OptionSet& set, GprgnnOptions& o);

class Gprgnn : public Model {
 public:
  Gprgnn(const Inputs& in, const GprgnnOptions& o);
};

}  // namespace scrl
