// train/epoch.h: the parts of one epoch: gradients of a full-batch step, the optimiser, and an
// evaluation pass without dropout. trainer.h loops over it, plan/bench.h times it.
#pragma once
#include <cstdint>
#include <vector>

#include "data/dataset.h"
#include "train/optimizer.h"
#include "train/options.h"
#include "train/state.h"

namespace scrl {

class Epoch {
 public:
  // REQUIRES: the arguments outlive it.
  Epoch(Model& model, const Dataset& data, const Split& split, const TrainOptions& options,
        Moments& moments);
  ~Epoch() { model_.tape.defer_gradients(false); }
  Epoch(const Epoch&) = delete;
  Epoch& operator=(const Epoch&) = delete;

  // Forward and backward pass; returns the loss. Large gradients are left to update(). Throws
  // Error(kDiverged) when it is not a number.
  double gradients(int epoch);
  // The optimiser on every trained parameter; `epoch` counts from 1.
  void update(int epoch);
  // Scores of the present parameters on training, validation and test nodes.
  void evaluate(EpochStats& now);

  // What the update() to come has to do at the least.
  Cost update_cost() const;

 private:
  Model& model_;
  const Dataset& data_;
  const Split& split_;
  const TrainOptions& options_;
  Optimizer optimizer_;
  Plan train_plan_, eval_plan_;
  std::vector<std::int32_t> predicted_;
  std::vector<std::int32_t> nearest_[2];  // prototype of each node in either view
};

}  // namespace scrl
