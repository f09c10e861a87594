#include "run/out_of_fold.h"

#include "base/error.h"
#include "linear/cross_validate.h"
#include "run/method_run.h"

namespace scrl {

bool train_out_of_fold(
    const OutOfFold& o, const std::function<bool()>& should_stop,
    const std::function<void(const Model&, const std::vector<NodeId>&)>& held_out) {
  check(o.config.train.protocol == Protocol::kFixed, "train_out_of_fold: the protocol is ",
        name_of(o.config.train.protocol), ", not fixed");
  std::vector<std::int32_t> labels;
  for (const NodeId i : o.nodes) labels.push_back(o.data.labels[i]);
  const auto fold =
      stratified_folds(labels, o.data.num_classes(), o.folds, static_cast<std::uint64_t>(o.seed));
  std::function<std::optional<TrainState>(Model&)> restore;
  if (o.embedding)
    restore = [&](Model& model) {
      for (std::size_t i = 0; i < model.params.size(); ++i)
        model.params[i]->value.assign_packed(o.embedding->best_params[i]);
      return std::optional(*o.embedding);
    };
  for (int f = 0; f < o.folds; ++f) {
    Split split;
    std::vector<NodeId> rest;
    for (std::size_t i = 0; i < o.nodes.size(); ++i)
      (fold[i] == f ? rest : split.train).push_back(o.nodes[i]);
    bool stopped = false;
    MethodEvents events;
    events.should_stop = [&] { return stopped = should_stop && should_stop(); };
    const MethodRun run =
        train_method(o.data, o.config, o.operands, split, o.seed, events, restore);
    if (stopped) return false;
    held_out(*run.model, rest);
  }
  return true;
}

}  // namespace scrl
