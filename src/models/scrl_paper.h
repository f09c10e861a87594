// models/scrl_paper.h: SCRL as published: Liu et al., "Self-supervised Consensus Representation
// Learning for Attributed Graph", ACM MM 2021. models/scrl.h is the form this program recommends.
//
// n nodes, d features, h1 and h hidden, B prototypes, M classes; v is t (topology) or f (kNN graph
// of the features).
//   H_v = drop(relu(A_v X W1_v + b1_v))              (n,h1)
//   Z_v = drop(relu(A_v H_v W2_v + b2_v))            (n,h)
//   S_v = Z_v C^T                                    (n,B)   C (B,h): one prototype per row
//   Q_v = Sinkhorn(S_v / epsilon)                    (n,B)   balanced targets, no gradient
//   P_v = log softmax(S_v / tau)
//   L_ss = -1/2 mean_i [ Q_f . P_t + Q_t . P_f ]     swapped prediction ("exchanged" in the paper)
//   Y   = log softmax([Z_t | Z_f] W + b)             (n,M)
//   L   = NLL(Y, labelled nodes) + alpha L_ss
//
// Where the paper's text and the published code differ, an option selects which one to follow:
//   proto_norm   prototypes scaled to length 1 before each step (main.py) or not (scrl.py)
//   proto_relu   S_v = relu(Z_v C^T), as the published module does, or not (text)
//   embed_norm   rows of Z_v scaled to length 1 before the prototypes (SwAV) or not (text, code)
//   ss_nodes     nodes in L_ss: all (text, scrl.py) or train (main.py)
//   adjacency    rw: D^-1 (A+I) (code), or sym: D^-1/2 (A+I) D^-1/2 (text; see train/prepare.h)
// L_ss carries the 1/2 of the code, and the cross-entropy is a mean as in the code, not the text's
// sum, so that alpha means the same at every label rate.
#pragma once
#include "models/model.h"

namespace scrl {

enum class SelfSupervisedNodes { kAll, kTrain };
template <>
inline constexpr auto kNames<SelfSupervisedNodes> = std::array{"all", "train"};

struct ScrlPaperOptions {
  int hidden1 = 512, hidden2 = 128;
  int prototypes = 18;
  double dropout = 0.5, input_dropout = 0;
  double tau = 0.1, epsilon = 0.3, alpha = 1;
  int sinkhorn_iters = 10;
  bool proto_norm = true, proto_relu = false, embed_norm = false;
  SelfSupervisedNodes ss_nodes = SelfSupervisedNodes::kAll;
};
void bind(OptionSet& set, ScrlPaperOptions& o);

class ScrlPaper : public Model {
 public:
  ScrlPaper(const Inputs& in, const ScrlPaperOptions& o);
  void begin_epoch(const Pass&) override;

 private:
  Var scores(Var Z);

  ScrlPaperOptions o_;
  Param* C_ = nullptr;        // none when alpha is 0
  std::vector<float> norms_;  // scratch of begin_epoch
};

}  // namespace scrl
