// plan/epoch_time.h: how long the parts of an epoch take, for plans.
#pragma once
#include <functional>

#include "models/model.h"
#include "train/epoch.h"

namespace scrl {

struct EpochTime {
  double gradients_ms = 0, update_ms = 0, evaluate_ms = 0;
  int measured = 0;  // epochs behind these medians
  int last = 0;      // number of the last one
  double total_ms() const { return gradients_ms + update_ms + evaluate_ms; }
};

// Number of the e-th epoch that runs when a training has `epochs`: those beyond it begin again.
inline int epoch_number(int e, int epochs) { return (e - 1) % epochs + 1; }

// Medians over a few epochs, or fewer when they are long or more than a training has, after two in
// which memory is taken and that do not count; a method that descends by itself needs none. `begin`
// is called before the first that counts. A model whose classifier comes at the end is not
// evaluated, as in training.
EpochTime measure_epochs(Epoch& epoch, const Model& model, int epochs,
                         const std::function<void()>& begin = {});

}  // namespace scrl
