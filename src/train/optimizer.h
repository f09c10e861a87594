// train/optimizer.h: gradients become steps.
//
//   adam   g += wd w;  m, v moments of g;  w -= lr mhat / (sqrt(vhat) + 1e-8)     as PyTorch
//   sgd    w -= lr (g + wd w)
// The moments belong to the state of a training (train/state.h), which a checkpoint keeps.
#pragma once
#include "models/model.h"
#include "train/options.h"
#include "train/state.h"

namespace scrl {

class Optimizer {
 public:
  // REQUIRES: the arguments outlive it.
  Optimizer(Model& model, const TrainOptions& options, Moments& moments);

  // Steps count from 1; the first one begins with moments of zero.
  void step(int number);
  // What the step to come has to do at the least.
  Cost cost() const;
  // Of weight decay, which belongs to the loss: wd/2 |w|^2.
  double penalty() const;

 private:
  Model& model_;
  const TrainOptions& options_;
  Moments& moments_;
};

}  // namespace scrl
