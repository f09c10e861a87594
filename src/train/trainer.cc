#include "train/trainer.h"

#include "base/error.h"
#include "base/stopwatch.h"
#include "train/epoch.h"

namespace scrl {
namespace {

bool better(const EpochStats& a, const EpochStats& b, const Model& model, const TrainOptions& o) {
  if (model.fit_classifier) return !model.lowest_loss_counts || a.loss < b.loss;
  if (o.protocol == Protocol::kFixed || (o.protocol == Protocol::kVal && o.stop == Stop::kRising))
    return true;
  const auto score = [&](const Scores& s) {
    return o.metric == Metric::kMacroF1 ? s.macro_f1 : s.accuracy;
  };
  if (o.protocol == Protocol::kOracle) return score(a.test) > score(b.test);
  if (o.metric != Metric::kNll && score(a.val) != score(b.val)) return score(a.val) > score(b.val);
  return a.val_loss < b.val_loss;
}

// Whether the validation loss of the last epoch is above its mean over the ten before.
bool loss_rises(const std::vector<EpochStats>& history, int scored_from) {
  constexpr std::size_t kWindow = 10;
  if (history.size() < static_cast<std::size_t>(scored_from) + kWindow + 1) return false;
  const auto cost = [](const EpochStats& e) { return e.val_loss + e.penalty; };
  double sum = 0;
  for (std::size_t i = history.size() - 1 - kWindow; i + 1 < history.size(); ++i)
    sum += cost(history[i]);
  return cost(history.back()) > sum / kWindow;
}

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
  state.history.reserve(static_cast<std::size_t>(o.epochs));
  TrainOutcome outcome{.interrupted = false, .stopped_because = "all epochs"};

  const auto out_of_patience = [&] {
    return o.patience > 0 && state.best_epoch >= model.scored_from &&
           state.epochs_done - state.best_epoch >= o.patience;
  };
  // Why to stop before the last epoch; empty: go on.
  const auto reason_to_stop = [&]() -> std::string {
    if (model.fit_classifier) {
      if (model.lowest_loss_counts && out_of_patience()) return "patience";
    } else if (o.protocol == Protocol::kVal) {
      if (o.stop == Stop::kRising && loss_rises(state.history, model.scored_from))
        return "rising loss";
      if (o.stop == Stop::kBest && out_of_patience()) return "patience";
    }
    return "";
  };
  while (state.epochs_done < o.epochs && reason_to_stop().empty()) {
    EpochStats now{.epoch = state.epochs_done + 1};
    Stopwatch watch;
    now.loss = epoch.gradients(now.epoch);
    epoch.update(now.epoch);
    now.train_ms = watch.ms();
    now.scored = !model.fit_classifier && now.epoch >= model.scored_from;
    if (now.scored) epoch.evaluate(now);
    now.eval_ms = watch.ms() - now.train_ms;

    const bool first = state.best_epoch < model.scored_from;
    state.history.push_back(now);
    state.epochs_done = now.epoch;
    if (first || better(now, state.best(), model, o)) {
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
  if (const std::string reason = reason_to_stop(); !outcome.interrupted && !reason.empty())
    outcome.stopped_because = reason;
  if (model.fit_classifier && !outcome.interrupted && hooks.embedded) hooks.embedded(state);
  restore_params(state.best_params, model);
  if (model.fit_classifier) {
    model.evaluate();
    model.fit_classifier();
    model.tape.params_changed();
    keep_params(model, state.best_params);
  }
  if (EpochStats& best = state.history[static_cast<std::size_t>(state.best_epoch - 1)];
      !best.scored) {
    epoch.evaluate(best);
    best.scored = true;
  }
  return outcome;
}

}  // namespace scrl
