// models/amgcn.h: AM-GCN, Wang et al., KDD 2020, as the authors' code has it.
//
// v is t (topology) or f (feature graph); three encoders, one of them shared by both graphs:
//   S(W,A) = A drop(relu(A X W1 + b1)) W2 + b2                  (n,h)
//   Z_t = S(W_t, A_t),  Z_f = S(W_f, A_f),  C_v = S(W_c, A_v),  Z_c = (C_t + C_f) / 2
//   w_c = softmax over the three of  tanh(Z W + b) u            (n,3)   attention
//   Z   = sum of the three, weighted;  Y = log softmax(Z V + a)
//   L   = NLL(Y, labelled) + theta L_com + beta/2 [HSIC(Z_t, C_t) + HSIC(Z_f, C_f)]
//   L_com = mean over n x n of (U_t U_t^T - U_f U_f^T)^2,  U_v = unit rows of centred C_v
// HSIC(P,Q) = tr(R P P^T R Q Q^T), R = I - 11^T/n, without the factor 1/(n-1)^2 of the paper. Both
// are traces of h x h products, so memory stays linear in n. X as it is, weights and biases in
// U(+-1/sqrt(out)), those of attention and classifier in U(+-1/sqrt(in)).
#pragma once
#include "models/model.h"

namespace scrl {

struct AmgcnOptions {
  int hidden1 = 512, hidden2 = 128;
  double dropout = 0.5;
  double theta = 1e-3, beta = 0;
};
void bind(OptionSet& set, AmgcnOptions& o);

class Amgcn : public Model {
 public:
  Amgcn(const Inputs& in, const AmgcnOptions& o);

 private:
  struct Encoder {
    Var XW, b1, W2, b2;
  };
  Encoder encoder(const Inputs& in, const std::string& name);
  Var apply(const Encoder& e, const SparseOperand& A) const;

  AmgcnOptions o_;
};

}  // namespace scrl
