// run/method_run.h: one training of one method on one split: for itself, or as a member of auto.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "config/config.h"
#include "train/operand_cache.h"
#include "train/state.h"

namespace scrl {

struct MethodEvents {
  std::function<void(const TrainState&, Model&)> begin;  // before the first epoch of this process
  std::function<void(const EpochStats&, Model&)> epoch;
  // After each epoch; decides by itself whether to write. `stopping`: there will be no other.
  std::function<void(const TrainState&, const Model&, bool stopping)> save;
  std::function<bool()> should_stop;
  std::function<void(const TrainState&, const Model&)> embedded;  // TrainHooks::embedded
};

struct MethodRun {
  std::unique_ptr<Model> model;  // evaluated at the epoch that counts
  TrainState state;
  std::string stopped_because;
  bool interrupted = false;
};

// `restore`, if given, puts the state of an earlier process into the model; without a value the
// training starts from nothing.
MethodRun train_method(const Dataset& data, const RunConfig& config, const Operands& operands,
                       const Split& split, int seed, const MethodEvents& events,
                       const std::function<std::optional<TrainState>(Model&)>& restore = {});

}  // namespace scrl
