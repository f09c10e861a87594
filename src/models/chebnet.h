// models/chebnet.h: ChebNet, Defferrard, Bresson and Vandergheynst, NIPS 2016, as the two-layer
// classifier of nodes that Kipf and Welling compare with.
//
//   H = drop(relu(sum_k T_k(L) drop(X) W1_k))        (n,h)   k = 0..K
//   Y = log softmax(sum_k T_k(L) H W2_k)             (n,M)
//   NLL(Y, labelled nodes)
// L = (2/lambda_max) (I - D^-1/2 A D^-1/2) - I, no self-loops; T_0 = I, T_1 = L,
// T_k = 2 L T_{k-1} - T_{k-2}: K+1 matrices per layer. Rows of X sum to 1, Glorot weights, no
// biases, weight decay on the first layer only.
//
// T_k(L) is nearly dense for k >= 2 and is never formed. Clenshaw's recurrence on the narrow side,
//   B_k = H W_k + 2 L B_{k+1} - B_{k+2},   sum = H W_0 + L B_1 - B_2,
// takes K sparse products of the width of the output.
#pragma once
#include "models/model.h"

namespace scrl {

struct ChebnetOptions {
  int hidden1 = 16, degree = 3;
  double dropout = 0.5;
};
void bind(OptionSet& set, ChebnetOptions& o);

class Chebnet : public Model {
 public:
  Chebnet(const Inputs& in, const ChebnetOptions& o);

 private:
  Var filter(Var HW, Index width) const;  // HW = [H W_0 | ... | H W_K]

  int degree_;
  double largest_eigenvalue_ = 0;
  SparseOperand L_;
};

}  // namespace scrl
