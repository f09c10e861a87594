// models/scrl.h: SCRL with class prototypes, the form of Liu et al. (ACM MM 2021) that this program
// recommends. models/scrl_paper.h is the published one.
//
// n nodes, M classes, h hidden; v is t (topology) or f (kNN graph of the features), u the other
// view.
//   Z_v = GCN encoder of view v                    (n,h)   models/gcn_encoder.h
//   S_v = unit(Z_v) unit(C)^T                      (n,M)   C (M,h): one prototype per class
//   P_v = log softmax(S_v / tau)
//   Q_v = Sinkhorn(S_v / epsilon)                  (n,M)   balanced targets, no gradient
//   Y   = log softmax([Z_t | beta Z_f] W + b)      (n,M)
//   L   = NLL(Y) + 1/2 [NLL(P_t) + NLL(P_f)]               labelled nodes
//         - alpha/2 mean_i [ Q_f . P_t + Q_t . P_f ]       all nodes: swapped prediction, as in
//         SwAV
//   log p = log softmax((Y + P_t + P_f) / 3)               the prediction
//
// What differs from the paper: one prototype per class instead of B free ones, tied to the labelled
// nodes of its class (supervised prototype loss); cosines instead of products; the prototypes take
// part in the prediction; the topology view averages A ... A^4 in its second layer; alpha grows to
// its value over the first 20 epochs; a labelled node of a class with n of them weighs n^-1/2. A_v
// is the lazy random walk 1/2 (D^-1 (A+I) + I). All constants are the same on every graph.
#pragma once
#include "models/model.h"

namespace scrl {

struct ScrlOptions {
  int hidden1 = 256, hidden2 = 128;
  double dropout = 0.2, input_dropout = 0.8;
  double alpha = 2;
};
void bind(OptionSet& set, ScrlOptions& o);

class Scrl : public Model {
 public:
  Scrl(const Inputs& in, const ScrlOptions& o);
  void begin_epoch(const Pass&) override;

 private:
  Param* C_ = nullptr;        // the prototypes
  std::vector<float> norms_;  // scratch of begin_epoch
};

}  // namespace scrl
