// models/sgc.h: multinomial logistic regression on the features of a node and of the nodes up to K
// hops away: simple graph convolution, Wu et al., ICML 2019, with every hop kept side by side, as
// in SIGN, Rossi et al., 2020.
//
//   Y = log softmax(X W_0 + A X W_1 + ... + A^K X W_K + b)
//   min_W  1/2 |W|^2 + C sum_i NLL(Y_i), with hop k scaled as linear/hop_regression.h says
// A is the normalised operator with self-loops, rows of X have length 1. The problem is convex and
// solved once, in the first epoch; later ones change nothing. K and C are chosen by
// cross-validation on the training labels. The loss of an epoch is that before its step, as
// everywhere. The embedding is the input of the softmax. Departures: the paper has A^K X alone, K =
// 2 and Adam for 100 epochs with a weight decay tuned on validation nodes. A is rw-normalised by
// default here, not sym.
#pragma once
#include <optional>

#include "models/model.h"

namespace scrl {

struct SgcOptions {
  std::optional<int> hops;  // none: by cross-validation, as the next
  std::optional<double> C;
};
void bind(OptionSet& set, SgcOptions& o);

class Sgc : public OwnModel {
 public:
  Sgc(const Inputs& in, const SgcOptions& o);
  double own_epoch(const Pass& pass) override;
  double own_work() const override;

 private:
  void fit();

  const Inputs in_;
  const SgcOptions options_;
  std::vector<Param*> W_;  // of each hop that may be chosen
  Param* b_ = nullptr;
  Plan loss_plan_;
};

}  // namespace scrl
