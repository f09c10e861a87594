// train/trainer.h: the loop.
//
// Per epoch: one full-batch step (train/step.h), one evaluation pass without dropout, scores, and
// the decision whether this epoch is the one that counts (train/selection.h).
// Test labels are scored every epoch so that the oracle can be shown beside the honest figure;
// under `val` and `fixed` they decide nothing.
#pragma once
#include <functional>

#include "data/dataset.h"
#include "train/options.h"
#include "train/state.h"

namespace scrl {

struct TrainHooks {
  std::function<void(const EpochStats&)> epoch_done;        // progress
  std::function<void(const TrainState&)> maybe_checkpoint;  // after each epoch; decides by itself
  std::function<bool()> should_stop;                        // true: end after this epoch
  // All epochs are done and no classifier is fitted yet; of models that learn without labels. A
  // model of the same data and seed with other labels may go on from such a state.
  std::function<void(const TrainState&)> embedded;
};

struct TrainOutcome {
  bool interrupted = false;
  std::string stopped_because;  // "all epochs", "patience", "rising loss", "signal"
};

// Continues `state` (fresh or loaded) until an end is reached, then puts the parameters of the
// counting epoch back into the model. Throws Error(kDiverged) when the loss is not finite.
TrainOutcome train_model(Model& model, const Dataset& data, const Split& split,
                         const TrainOptions& o, TrainState& state, const TrainHooks& hooks);

}  // namespace scrl
