// train/step.h: how an epoch changes the parameters.
//
// There are two ways: down the gradient of a loss on the tape, or as the model does it by itself
// (OwnModel: random walks, a solver).
#pragma once
#include <memory>

#include "models/model.h"
#include "train/options.h"
#include "train/state.h"

namespace scrl {

class Step {
 public:
  virtual ~Step() = default;
  // Returns the loss. Large gradients are left to update().
  virtual double gradients(const Pass& pass) = 0;
  // The optimiser on every trained parameter; its steps count from 1.
  virtual void update(int /*number*/) {}
  // What the update() to come has to do at the least.
  virtual Cost update_cost() const { return {}; }
  // Of weight decay, which belongs to the loss: wd/2 |w|^2.
  virtual double penalty() const { return 0; }
};

// REQUIRES: the arguments outlive the result.
std::unique_ptr<Step> step_of(Model& model, const TrainOptions& options, Moments& moments);

}  // namespace scrl
