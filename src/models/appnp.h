// models/appnp.h: APPNP, Gasteiger, Bojchevski and Günnemann, ICLR 2019: predict then propagate.
//
//   H = drop(relu(drop(X) W1))                     (n,h)
//   Z = H W2                                       (n,M)
//   Y = log softmax(P Z)                           (n,M)
//   P = sum_k alpha (1-alpha)^k A^k + (1-alpha)^K A^K,  k = 0..K-1
//   L = NLL(Y, labelled nodes)
// P Z is K steps of personalised PageRank, Z_0 = Z, Z_{k+1} = (1-alpha) A Z_k + alpha Z, with
// A = D^-1/2 (A+I) D^-1/2. Glorot weights, no biases, weight decay on W1 only. The embedding is P
// H: Y = log softmax((P H) W2), a linear classifier on it. The powers act on the narrow side.
// Departures: the authors also drop entries of A, others in each of the K hops, and scale rows of
// X to sum 1; here A is whole, and rows of X have length 1 by default, as in gcn.h: with sum 1 it
// loses 30 points on Photo with 20 labels per class.
#pragma once
#include "models/model.h"

namespace scrl {

struct AppnpOptions {
  int hidden1 = 64, hops = 10;
  double alpha = 0.1, dropout = 0.5;
};
void bind(OptionSet& set, AppnpOptions& o);

// alpha (1-alpha)^k for k < hops, and (1-alpha)^hops: personalised PageRank, cut off. (1,hops+1)
Matrix pagerank_weights(double alpha, int hops);

class Appnp : public Model {
 public:
  Appnp(const Inputs& in, const AppnpOptions& o);
};

}  // namespace scrl
