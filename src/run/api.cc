// The public interface (include/scrl/) on top of the application layer.
#include <cmath>

#include "data/dataset.h"
#include "kernels/rows.h"
#include "run/model_file.h"
#include "run/run_folder.h"
#include "run/train_run.h"
#include "scrl/predict.h"
#include "scrl/train.h"

namespace scrl {

TrainingReport train(const Dataset& data, const Settings& settings, const std::string& run_folder,
                     const std::function<bool(const EpochReport&)>& progress) {
  validate(data);
  TrainRequest request{
      .data = data, .data_reference = data_reference(data.source), .out = run_folder};
  for (const auto& [key, value] : settings) request.settings.push_back({key, value, "caller"});
  bool go_on = true;
  TrainEvents events;
  if (progress) {
    events.epoch = [&](int seed, const std::string&, const EpochStats& e, int epochs) {
      go_on = progress({.seed = seed,
                        .epoch = e.epoch,
                        .epochs = epochs,
                        .loss = e.loss,
                        .train_accuracy = e.train_accuracy,
                        .val_accuracy = e.val.accuracy,
                        .milliseconds = e.train_ms + e.eval_ms});
    };
    events.should_stop = [&] { return !go_on; };
  }
  const TrainOutput output = run_training(std::move(request), events);
  TrainingReport out;
  out.interrupted = output.interrupted;
  if (!output.result) return out;
  const TrainResult& r = *output.result;
  out.has_test = r.tested();
  if (out.has_test) {
    out.accuracy = r.accuracy().mean;
    out.accuracy_std = r.accuracy().std;
    out.macro_f1 = r.macro_f1().mean;
    out.macro_f1_std = r.macro_f1().std;
  }
  out.protocol = name_of(r.protocol);
  out.result_hash = r.result_hash();
  out.json = to_json(r).dump(2);
  return out;
}

Predictions predict(const std::string& model, const Dataset& data) {
  validate(data);
  const LoadedModel loaded = load_model(model_path(model), data);
  const Matrix& log_probs = loaded.model->log_probs.value();
  Predictions out;
  for (Index i = 0; i < data.nodes; ++i) out.ids.push_back(data.id(i));
  out.classes = loaded.facts.classes;
  kernels::argmax_rows(log_probs, out.label);
  out.probabilities = log_probs.packed();
  for (float& p : out.probabilities) p = std::exp(p);
  out.embeddings = loaded.model->embedding.value().packed();
  out.embedding_size = loaded.model->embedding.cols();
  return out;
}

}  // namespace scrl
