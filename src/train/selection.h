// train/selection.h: which epoch of a training counts, and when the training ends.
//
//   val     best validation score (metric), on ties the lower validation loss, then the earlier
//           epoch; ends after `patience` epochs that are no better
//           with stop = rising, as in Kipf and Welling's code, the last epoch trained: training
//           ends with the first whose validation loss, weight decay included, is above its mean
//           over the ten before
//   fixed   the last epoch
//   oracle  highest test accuracy, the earlier epoch on ties (diagnostic only)
// A model that learns without labels (Model::fit_classifier) has none of these: its last epoch
// counts, or that with the lowest loss, and its classifier is fitted to that epoch's embedding.
#pragma once
#include <memory>
#include <string>

#include "models/model.h"
#include "train/options.h"
#include "train/state.h"

namespace scrl {

class Selection {
 public:
  virtual ~Selection() = default;
  // Whether an epoch gets scores.
  virtual bool scored(int epoch) const = 0;
  // Whether `now` counts in place of `best`, which has counted so far.
  virtual bool better(const EpochStats& now, const EpochStats& best) const = 0;
  // Why no other epoch is trained; empty: go on.
  virtual std::string reason_to_stop(const TrainState&) const { return ""; }
  // Once, with the parameters of the epoch that counts.
  virtual void finish(Model&) const {}
};

// REQUIRES: the arguments outlive the result.
std::unique_ptr<Selection> selection_of(const Model& model, const TrainOptions& options);

}  // namespace scrl
