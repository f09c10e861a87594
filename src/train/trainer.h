// train/trainer.h: the loop.
//
// Per epoch: one full-batch step (forward, backward, Adam), one evaluation pass without dropout,
// scores, and the decision whether this epoch is the one that counts:
//   val     best validation score (metric), on ties the lower validation loss, then the earlier
//   epoch
//           with stop = rising, as in Kipf and Welling's code, the last epoch trained: training
//           ends with the first whose validation loss, weight decay included, is above its mean
//           over the ten before
//   fixed   the last epoch
//   oracle  highest test accuracy, the earlier epoch on ties (diagnostic only)
// A model that learns without labels has a say of its own: its last epoch counts, or that with the
// lowest loss, and its classifier is fitted when the epochs are over (Model::fit_classifier).
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
