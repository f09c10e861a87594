// train/state.h: everything that must survive a crash to go on with the same bits.
//
// The random generator has no state (base/rng.h), so parameters, the moments of Adam, the best
// epoch so far and the scores of past epochs are all there is.
#pragma once
#include <string>
#include <vector>

#include "eval/metrics.h"
#include "io/container.h"
#include "models/model.h"

namespace scrl {

struct EpochStats {
  int epoch = 0;  // 1 for the first
  double loss = 0, train_accuracy = 0, val_loss = 0;
  Scores val, test;
  double train_ms = 0, eval_ms = 0;
  double penalty = 0;  // of weight decay, which belongs to the loss that stop = rising watches
  bool scored = true;  // it has scores and may be the one that counts
  // Percent of the nodes whose nearest prototype is the same in both views; below 0: no two views.
  double agreement = -1;
};

// Adam's moments of one parameter, both empty for one that is not trained.
struct Moment {
  Matrix m, v;
};
using Moments = std::vector<Moment>;  // by parameter; empty before the first step
Moments zero_moments(const Model& model);

struct TrainState {
  int epochs_done = 0;
  Moments moments;
  std::vector<EpochStats> history;
  int best_epoch = 0;  // the epoch that counts under the protocol; 0: none yet
  std::vector<std::vector<float>> best_params;  // packed values of that epoch

  const EpochStats& best() const { return history[static_cast<std::size_t>(best_epoch - 1)]; }
};

// The scored epoch with the best test accuracy, the first on ties: what `oracle` reports.
const EpochStats& oracle_epoch(const TrainState& state);

void save_state(const TrainState& state, const Model& model, ContainerWriter& out);
// Throws Error(kModelFile) when the file does not fit the model.
TrainState load_state(const ContainerReader& in, Model& model);

// The values that predictions need: the trained model.
void save_params(const Model& model, ContainerWriter& out);
void load_params(const ContainerReader& in, Model& model);

}  // namespace scrl
