// fit() of scrl/model.h: a training whose results stay in memory.
#include "base/parallel.h"
#include "data/dataset.h"
#include "run/model_file.h"
#include "run/train_run.h"
#include "run/trained_model.h"

namespace scrl {
namespace {

EpochReport report_of(int seed, const std::string& member, const EpochStats& e, int epochs) {
  return {.seed = seed,
          .epoch = e.epoch,
          .epochs = epochs,
          .member = member,
          .loss = e.loss,
          .train_accuracy = e.train_accuracy,
          .val_accuracy = e.val.accuracy,
          .val_loss = e.val_loss,
          .milliseconds = e.train_ms + e.eval_ms};
}

void fill_in(const TrainResult& r, FitReport& out) {
  out.has_test = r.tested();
  if (out.has_test) {
    out.accuracy = r.accuracy().mean, out.accuracy_std = r.accuracy().std;
    out.macro_f1 = r.macro_f1().mean, out.macro_f1_std = r.macro_f1().std;
  }
  const SeedResult& first = r.seeds.front();
  if (r.val_nodes > 0) out.val_accuracy = r.val_accuracy().mean;
  out.best_epoch = first.best_epoch;
  for (const MemberScore& m : first.members)
    out.members.push_back({.name = m.name,
                           .weight = m.weight,
                           .val_accuracy = m.val.accuracy,
                           .test_accuracy = m.test.accuracy,
                           .seconds = m.seconds,
                           .epochs = m.epochs,
                           .best_epoch = m.best_epoch});
  out.protocol = name_of(r.protocol);
  out.result_hash = r.result_hash();
  out.json = to_json(r).dump(2);
  out.interrupted = r.interrupted;
}

}  // namespace

FitResult fit(const Dataset& data, const Settings& settings, const FitOptions& options) {
  const ThreadScope scope(options.threads);
  validate(data);
  TrainRequest request{.data_reference = data_reference(data.source),
                       .out = options.run_folder,
                       .shared_data = &data};
  for (const auto& [key, value] : settings) request.settings.push_back({key, value, "caller"});
  FitResult out;
  bool go_on = true;
  TrainEvents events;
  events.epoch = [&](int seed, const std::string& member, const EpochStats& e, int epochs) {
    out.report.history.push_back(report_of(seed, member, e, epochs));
    if (options.progress) go_on = options.progress(out.report.history.back());
  };
  events.should_stop = [&] { return !go_on; };
  events.note = options.note;
  events.trained = [&](const Model& model, const RunConfig& config, const Split& split,
                       const SeedResult& r) {
    out.report.split = split;
    out.model =
        TrainedModel::from_bytes(model_file(model, config, data, r.seed, r.best_epoch).finish());
    out.predictions = predictions_of(model, data.classes);
  };
  fill_in(run_training(std::move(request), events).result, out.report);
  return out;
}

}  // namespace scrl
