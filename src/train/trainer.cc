#include "train/trainer.h"

#include "base/error.h"
#include "base/stopwatch.h"
#include "train/epoch.h"
#include "train/selection.h"

namespace scrl {
namespace {

// Buffers that keep their size, so that an epoch allocates nothing after the first.
void keep_params(const Model& model, std::vector<std::vector<float>>& into) {
  into.resize(model.params.size());
  for (std::size_t i = 0; i < into.size(); ++i) {
    const Matrix& w = model.params[i]->value;
    into[i].resize(static_cast<std::size_t>(w.rows() * w.cols()));
    w.copy_packed(into[i]);
  }
}

void restore_params(const std::vector<std::vector<float>>& from, Model& model) {
  for (std::size_t i = 0; i < from.size(); ++i) model.params[i]->value.assign_packed(from[i]);
  model.tape.params_changed();
}

}  // namespace

TrainOutcome train_model(Model& model, const Dataset& data, const Split& split,
                         const TrainOptions& o, TrainState& state, const TrainHooks& hooks) {
  Epoch epoch(model, data, split, o, state.moments);
  const std::unique_ptr<Selection> selection = selection_of(model, o);
  state.history.reserve(static_cast<std::size_t>(o.epochs));
  TrainOutcome outcome{.interrupted = false, .stopped_because = "all epochs"};

  while (state.epochs_done < o.epochs && selection->reason_to_stop(state).empty()) {
    EpochStats now{.epoch = state.epochs_done + 1};
    Stopwatch watch;
    now.loss = epoch.gradients(now.epoch);
    epoch.update(now.epoch);
    now.train_ms = watch.ms();
    now.scored = selection->scored(now.epoch);
    if (now.scored) epoch.evaluate(now);
    now.eval_ms = watch.ms() - now.train_ms;

    state.history.push_back(now);
    state.epochs_done = now.epoch;
    if (state.best_epoch < model.scored_from || selection->better(now, state.best())) {
      state.best_epoch = now.epoch;
      keep_params(model, state.best_params);
    }
    if (hooks.epoch_done) hooks.epoch_done(now);
    if (hooks.maybe_checkpoint) hooks.maybe_checkpoint(state);
    if (hooks.should_stop && hooks.should_stop()) {
      outcome = {.interrupted = true, .stopped_because = "signal"};
      break;
    }
  }
  if (const std::string reason = selection->reason_to_stop(state);
      !outcome.interrupted && !reason.empty())
    outcome.stopped_because = reason;
  if (model.fit_classifier && !outcome.interrupted && hooks.embedded) hooks.embedded(state);
  restore_params(state.best_params, model);
  selection->finish(model);
  keep_params(model, state.best_params);
  if (EpochStats& best = state.history[static_cast<std::size_t>(state.best_epoch - 1)];
      !best.scored) {
    epoch.evaluate(best);
    best.scored = true;
  }
  return outcome;
}

}  // namespace scrl
