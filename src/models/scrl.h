// models/scrl.h: SCRL, Liu et al., "Self-supervised Consensus Representation Learning for
// Attributed Graph", ACM MM 2021.
//
// n nodes, d features, h1 and h hidden, B prototypes, M classes; v is t (topology) or f (kNN graph
// of the features).
//   H_v = drop(relu(A_v X W1_v + b1_v))              (n,h1)
//   Z_v = drop(relu(A_v H_v W2_v + b2_v))            (n,h)
//   S_v = Z_v C^T                                    (n,B)   C (B,h): one prototype per row
//   Q_v = Sinkhorn(S_v / epsilon)                    (n,B)   balanced targets, no gradient
//   P_v = log softmax(S_v / tau)
//   L_ss = -1/2 mean_i [ Q_f . P_t + Q_t . P_f ]             each view predicts the other's target
//   Y   = log softmax([Z_t | Z_f] W + b)             (n,M)
//   L   = NLL(Y, labelled nodes) + alpha L_ss
//
// Where the paper's text and the published code part, an option says which is meant:
//   proto_norm   prototypes scaled to length 1 before each step (main.py) or not (scrl.py)
//   proto_relu   S_v = relu(Z_v C^T), as the published module does, or not (text)
//   embed_norm   rows of Z_v scaled to length 1 before the prototypes (SwAV) or not (text, code)
//   ss_nodes     nodes in L_ss: all (text, scrl.py) or train (main.py)
//   adjacency    rw: D^-1 (A+I) (code), or sym: D^-1/2 (A+I) D^-1/2 (text; see train/prepare.h)
// L_ss carries the 1/2 of the code, and the cross-entropy is a mean as in the code, not the text's
// sum, so that alpha means the same at every label rate.
//
// Class-anchored consensus, an addition of ours, is what prototypes = 0 asks for (the default):
// there is one prototype per class, and labelled nodes are tied to their own in both views,
//   L   = NLL(Y, labelled) + anchor/2 [ NLL(P_t, labelled) + NLL(P_f, labelled) ] + r alpha L_ss
// where r grows linearly from 0 to 1 over the first `ramp` epochs and anchor is 1. The balanced
// targets of one view then carry the labels into the other. With prototypes > 0 the prototypes are
// free, as in the paper. Prototypes that stand for classes can vote: the prediction is then
//   log softmax((Y + vote (P_t + P_f)) / (1 + 2 vote)),
// a weighted geometric mean of three opinions, while the cross-entropy of Y stays as it is. All
// nodes have taught the prototypes, the labelled ones alone the classifier, so they vote where
// labels are few or little is known of a node (train/label_rules.h).
// Labels lost in a large graph reach less of it by the few steps of an encoder than by what its
// regions are about. With L = class_likeness over t steps (models/class_likeness.h), w = likeness,
//   Q_v = Sinkhorn((S_v + w L) / epsilon)            t = 3 (s-1)^2, s = steps: a walk gets that far
//
// Where classes have unequal numbers of labelled nodes small ones are soon forgotten. With
// class_balance above 0 a node weighs n^-class_balance in NLL, n the labelled nodes of its class,
// and the mean is a weighted one: 0, as in the paper, lets all nodes count alike, 1 all classes.
// The default is 0.5.
//
// Three more additions of ours; the paper has beta = 1, s = 2 and rows as they are.
//   Y   = log softmax([Z_t | beta Z_f] W + b)        beta = feature_weight
//   Z_t = drop(relu((A + ... + A^(s-1)) / (s-1) H_t W2_t + b2_t))     A = A_t, s = steps
//   rows of X have length row_length
// The topology answers and the feature graph teaches it: in the classifier itself the view of the
// features has little to say. The rule for steps is in train/prepare.h, those for alpha and other
// values that may be auto in train/label_rules.h.
//
// By default A_v is 1/2 (D^-1 (A+I) + I) (self_weight, train/prepare.h): half of a step over a
// graph stays at the node. A graph whose edges join unlike nodes cannot then wash its own features
// out.
#pragma once
#include "models/model.h"

namespace scrl {

struct ScrlOptions {
  int hidden1 = 256, hidden2 = 128;
  int prototypes = 0;                            // 0: one per class, anchored
  std::optional<double> dropout, input_dropout;  // none: by the labels, which RunConfig settles
  double tau = 0.3;
  std::optional<double> epsilon, alpha;  // none: by the labels, which RunConfig settles
  int sinkhorn_iters = 3, ramp = 20;
  bool proto_norm = true, proto_relu = false, embed_norm = true;
  std::string ss_nodes = "all";
  double anchor = 1;
  std::optional<double> feature_weight, vote, likeness;  // none: as dropout
  std::optional<int> steps;  // over the topology; none: by its degree, which RunConfig settles
  double class_balance = 0.5;
};
void bind(OptionSet& set, ScrlOptions& o);

// What a labelled node of each class weighs, relative to a class of mean size: classes with as many
// weigh 1 to the bit, one without any 0.
std::vector<float> class_weights(const Inputs& in, double balance);

class Scrl : public Model {
 public:
  Scrl(const Inputs& in, const ScrlOptions& o);
  void begin_epoch(const Pass&) override;

 private:
  Var encoder(const Inputs& in, const SparseOperand& A, int steps, const std::string& view);
  Var scores(Var Z);

  ScrlOptions o_;
  Param* C_ = nullptr;        // none when alpha is 0
  std::vector<float> norms_;  // scratch of begin_epoch
};

}  // namespace scrl
