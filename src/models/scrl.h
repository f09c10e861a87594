// models/scrl.h: SCRL, Liu et al., "Self-supervised Consensus Representation Learning for
// Attributed Graph", ACM MM 2021.
//
// n nodes, d features, h1 and h hidden, B prototypes, M classes; v is t (topology) or f (kNN graph
// of the features).
//   H_v = drop(relu(A_v X W1_v + b1_v))              (n,h1)
//   Z_v = drop(relu(A_v H_v W2_v + b2_v))            (n,h)
//   S_v = Z_v C^T                                    (n,B)   C (B,h): one prototype per row
//   Q_v = Sinkhorn(S_v / epsilon)                    (n,B)   balanced targets, no gradient
//   L_ss = -1/2 mean_i [ Q_f . log softmax(S_t/tau) + Q_t . log softmax(S_f/tau) ]
//   Y   = log softmax([Z_t | Z_f] W + b)             (n,M)
//   L   = NLL(Y, labelled nodes) + alpha L_ss
//
// Where the paper's text and the published code part, an option says which is meant; the default is
// in capitals.
//   proto_norm   prototypes scaled to length 1 before each step: ON (first script) or off (second)
//   proto_relu   S_v = relu(Z_v C^T) as the published module does, or OFF (text)
//   embed_norm   rows of Z_v scaled to length 1 before the prototypes: on (SwAV) or OFF (text,
//   code) ss_nodes     nodes in L_ss: ALL (text, second script) or train (first script) adjacency
//   RW: D^-1 (A+I) (code), or sym: D^-1/2 (A+I) D^-1/2 (text; see train/prepare.h)
// L_ss carries the 1/2 of the code, and the cross-entropy is a mean as in the code, not the text's
// sum, so that alpha means the same at every label rate.
#pragma once
#include "models/model.h"

namespace scrl {

struct ScrlOptions {
  int hidden1 = 512, hidden2 = 128;
  int prototypes = 0;  // 0: three per class
  double dropout = 0.5, input_dropout = 0.0;
  double tau = 0.1, epsilon = 0.3, alpha = 1.0;
  int sinkhorn_iters = 10;
  bool proto_norm = true, proto_relu = false, embed_norm = false;
  std::string ss_nodes = "all";
};
void bind(OptionSet& set, ScrlOptions& o);

class Scrl : public Model {
 public:
  Scrl(const Inputs& in, const ScrlOptions& o);
  void begin_step() override;

 private:
  Var encoder(const Inputs& in, const SparseOperand& A, const std::string& view);
  Var scores(Var Z);

  ScrlOptions o_;
  Param* C_ = nullptr;        // none when alpha is 0
  std::vector<float> norms_;  // scratch of begin_step
};

}  // namespace scrl
