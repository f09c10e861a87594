#include "run/method_run.h"

#include "train/prepare.h"
#include "train/trainer.h"

namespace scrl {

MethodRun train_method(const Dataset& data, const RunConfig& config, const Operands& operands,
                       const Split& split, int seed, const MethodEvents& events,
                       const std::function<std::optional<TrainState>(Model&)>& restore) {
  TrainOptions options = config.train;
  options.seed = seed;
  const auto build = [&] {
    return config.method->build(model_inputs(operands, data, split, options));
  };
  MethodRun out{.model = build()};
  if (restore) {
    if (std::optional<TrainState> begun = restore(*out.model))
      out.state = std::move(*begun);
    else
      out.model = build();  // half of a damaged file may be in it
  }
  Model& model = *out.model;
  if (events.begin) events.begin(out.state, model);

  TrainHooks hooks;
  hooks.epoch_done = [&](const EpochStats& e) {
    if (events.epoch) events.epoch(e, model);
  };
  hooks.maybe_checkpoint = [&](const TrainState& s) {
    if (events.save) events.save(s, model, false);
  };
  hooks.should_stop = [&] {
    const bool stop = events.should_stop && events.should_stop();
    if (stop && events.save) events.save(out.state, model, true);
    return stop;
  };
  if (events.embedded) hooks.embedded = [&](const TrainState& s) { events.embedded(s, model); };
  const TrainOutcome outcome = train_model(model, data, split, options, out.state, hooks);
  model.evaluate();
  out.stopped_because = outcome.stopped_because;
  out.interrupted = outcome.interrupted;
  return out;
}

}  // namespace scrl
