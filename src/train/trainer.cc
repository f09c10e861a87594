#include "train/trainer.h"

#include <chrono>
#include <cmath>

#include "base/error.h"
#include "kernels/kernels.h"

namespace scrl {
namespace {

class Stopwatch {
 public:
  double lap_ms() {
    const auto now = std::chrono::steady_clock::now();
    const double ms = std::chrono::duration<double, std::milli>(now - start_).count();
    start_ = now;
    return ms;
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

void adam_step(Model& model, const TrainOptions& o, int t) {
  constexpr double kBeta1 = 0.9, kBeta2 = 0.999;
  for (const auto& p : model.params) {
    const kernels::AdamStep step{.lr = o.lr,
                                 .beta1 = kBeta1,
                                 .beta2 = kBeta2,
                                 .epsilon = 1e-8,
                                 .weight_decay = p->decay ? o.weight_decay : 0.0,
                                 .correction1 = 1 - std::pow(kBeta1, t),
                                 .correction2 = 1 - std::pow(kBeta2, t)};
    kernels::adam(step, p->grad, p->value, p->m, p->v);
  }
  model.tape.params_changed();
}

[[noreturn]] void fail_diverged(int epoch, const char* what, const TrainOptions& o) {
  fail(ErrorKind::kDiverged, "epoch ", epoch, ": ", what, " is no longer a number; training ",
       "diverged. Lower lr (now ", o.lr, ") or scale the features (--set feature_norm=row)");
}

bool better(const EpochStats& a, const EpochStats& b, const std::string& protocol) {
  if (protocol == "fixed") return true;
  if (protocol == "oracle") return a.test.accuracy > b.test.accuracy;
  if (a.val.accuracy != b.val.accuracy) return a.val.accuracy > b.val.accuracy;
  return a.val_loss < b.val_loss;
}

// Buffers that keep their size, so that an epoch allocates nothing after the first.
void keep_params(const Model& model, std::vector<std::vector<float>>& into) {
  into.resize(model.params.size());
  for (std::size_t i = 0; i < into.size(); ++i) {
    const Matrix& w = model.params[i]->value;
    into[i].resize(static_cast<std::size_t>(w.rows() * w.cols()));
    for (Index r = 0; r < w.rows(); ++r)
      std::copy_n(w.row(r), w.cols(), into[i].data() + r * w.cols());
  }
}

void restore_params(const std::vector<std::vector<float>>& from, Model& model) {
  for (std::size_t i = 0; i < from.size(); ++i) model.params[i]->value.assign_packed(from[i]);
  model.tape.params_changed();
}

}  // namespace

void evaluate(Model& model) {
  model.tape.forward(model.tape.plan({model.log_probs, model.embedding}), Pass{});
}

TrainOutcome train_model(Model& model, const Dataset& data, const Split& split,
                         const TrainOptions& o, TrainState& state, const TrainHooks& hooks) {
  const Plan train_plan = model.tape.plan({model.loss});
  const Plan eval_plan = model.tape.plan({model.log_probs});
  std::vector<std::int32_t> predicted(static_cast<std::size_t>(data.nodes));
  state.history.reserve(static_cast<std::size_t>(o.epochs));
  TrainOutcome outcome{.interrupted = false, .stopped_because = "all epochs"};

  const auto out_of_patience = [&] {
    return o.protocol == "val" && o.patience > 0 && state.best_epoch > 0 &&
           state.epochs_done - state.best_epoch >= o.patience;
  };
  while (state.epochs_done < o.epochs && !out_of_patience()) {
    EpochStats now{.epoch = state.epochs_done + 1};
    Stopwatch watch;
    const Pass pass{.training = true,
                    .seed = static_cast<std::uint64_t>(o.seed),
                    .epoch = static_cast<std::uint32_t>(now.epoch)};
    model.begin_step();
    model.tape.forward(train_plan, pass);
    now.loss = model.loss.scalar();
    if (!std::isfinite(now.loss)) fail_diverged(now.epoch, "the loss", o);
    model.tape.backward(train_plan, pass, model.loss);
    adam_step(model, o, now.epoch);
    now.train_ms = watch.lap_ms();

    model.tape.forward(eval_plan, Pass{});
    const Matrix& logp = model.log_probs.value();
    if (!kernels::all_finite(logp)) fail_diverged(now.epoch, "a prediction", o);
    kernels::argmax_rows(logp, predicted);
    const auto scores_of = [&](const std::vector<NodeId>& nodes) {
      return score(predicted, data.labels, nodes, data.num_classes());
    };
    now.train_accuracy = scores_of(split.train).accuracy;
    now.val = scores_of(split.val);
    now.val_loss = mean_nll(logp, data.labels, split.val);
    now.test = scores_of(split.test);
    now.eval_ms = watch.lap_ms();

    state.history.push_back(now);
    state.epochs_done = now.epoch;
    if (state.best_epoch == 0 || better(now, state.best(), o.protocol)) {
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
  if (!outcome.interrupted && out_of_patience()) outcome.stopped_because = "patience";
  restore_params(state.best_params, model);
  return outcome;
}

}  // namespace scrl
