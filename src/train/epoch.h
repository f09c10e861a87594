// train/epoch.h: the parts of one epoch: the gradients of a step, its update, and an evaluation
// pass without dropout. trainer.h loops over it, plan/bench.h times it.
#pragma once
#include <cstdint>
#include <vector>

#include "data/dataset.h"
#include "train/options.h"
#include "train/state.h"
#include "train/step.h"

namespace scrl {

class Epoch {
 public:
  // REQUIRES: the arguments outlive it.
  Epoch(Model& model, const Dataset& data, const Split& split, const TrainOptions& options,
        Moments& moments);

  // Step::gradients(); throws Error(kDiverged) when the loss is not a number.
  double gradients(int epoch);
  // Step::update(); `epoch` counts from 1.
  void update(int epoch);
  // Scores of the present parameters on training, validation and test nodes.
  void evaluate(EpochStats& now);

  Cost update_cost() const { return step_->update_cost(); }

 private:
  Model& model_;
  const Dataset& data_;
  const Split& split_;
  const TrainOptions& options_;
  std::unique_ptr<Step> step_;
  Plan eval_plan_;
  std::vector<std::int32_t> predicted_;
  std::vector<std::int32_t> nearest_[2];  // prototype of each node in either view
};

}  // namespace scrl
