// run/calibrate_model.h: the temperature that a training gives its model (run/calibration.h).
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "config/config.h"
#include "run/calibration.h"
#include "train/prepare.h"
#include "train/state.h"

namespace scrl {

struct CalibrateModel {
  const Dataset& data;
  const RunConfig& config;
  const Operands* operands = nullptr;  // of a single method
  Split split;
  int seed = 0;
  const TrainState* trained = nullptr;  // of a single method
  std::function<void(const std::string&)> note;
  std::function<bool()> should_stop;
};

struct Calibrated {
  std::optional<TemperatureResult> result;  // none: there are no labels to learn from
  bool interrupted = false;
};

// Leaves the model evaluated with its temperature. Under `fixed` only for a single method, which it
// trains again without each fold.
Calibrated calibrate_model(Model& model, const CalibrateModel& request);

}  // namespace scrl
