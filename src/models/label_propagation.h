// models/label_propagation.h: labels that spread over the edges, no features: label propagation,
// Zhu and Ghahramani 2002, in the form of Zhou et al., NIPS 2003 (local and global consistency).
//
//   F <- alpha S F + (1 - alpha) Y     50 times, from F = Y
//   S = D^-1/2 A D^-1/2, self-loops left out; Y has a 1 for the class of each training node
// Probabilities are the rows of F over their sums, mixed with 1e-3 of the same for all classes: so
// a node that no label reached is like all classes alike. Done once, in the first epoch; later ones
// change nothing. alpha is constant: 0.9; the paper has 0.99, where 50 steps are not enough. The
// embedding is the same as the log-probabilities. Knows the nodes it was trained on and no others.
#pragma once
#include "autograd/propagate.h"
#include "models/model.h"

namespace scrl {

struct LabelPropagationOptions {
  double alpha = 0.9;
  int iterations = 50;
};
void bind(OptionSet& set, LabelPropagationOptions& o);

class LabelPropagation : public OwnModel {
 public:
  LabelPropagation(const Inputs& in, const LabelPropagationOptions& o);
  double own_epoch(const Pass& pass) override;
  double own_work() const override;

 private:
  double loss_of_labels() const;

  const LabelPropagationOptions options_;
  const std::vector<NodeId> train_;
  const std::vector<std::int32_t> train_labels_;
  const Csr S_;
  Param* log_shares_ = nullptr;
};

}  // namespace scrl
