// run/out_of_fold.h: predictions for labelled nodes by models that were trained without them.
//
// The nodes are dealt to folds, stratified by class. For each fold a model is trained on the nodes
// of the others and handed out, evaluated, with the nodes of the fold.
#pragma once
#include <functional>
#include <vector>

#include "config/config.h"
#include "train/operand_cache.h"
#include "train/state.h"

namespace scrl {

struct OutOfFold {
  const Dataset& data;
  const RunConfig& config;  // of a single method, under `fixed`
  const Operands& operands;
  std::vector<NodeId> nodes;  // labelled; at least as many as folds
  int folds = 3;
  int seed = 0;
  // What was learned without labels, and so is the same in every fold; none: train.
  const TrainState* embedding = nullptr;
};

// False: `should_stop`, asked after every epoch, said so, and folds are missing.
bool train_out_of_fold(
    const OutOfFold& request, const std::function<bool()>& should_stop,
    const std::function<void(const Model&, const std::vector<NodeId>&)>& held_out);

}  // namespace scrl
