#include "run/trained_model.h"

#include <cmath>

#include "base/error.h"
#include "base/parallel.h"
#include "io/atomic_file.h"
#include "kernels/rows.h"
#include "models/registry.h"
#include "run/run_folder.h"

namespace scrl {

TrainedModel::State::State(ContainerReader file_) : file(std::move(file_)) {
  ModelHeader header = read_header(file);
  facts = std::move(header.facts);
  method = header.config->run.method;
  for (const Setting& s : header.config->values()) settings[s.key] = s.value;
}

TrainedModel TrainedModel::from_bytes(std::string_view bytes, const std::string& name) {
  TrainedModel out;
  out.state_ = std::make_shared<const State>(ContainerReader(
      name, std::as_bytes(std::span(bytes.data(), bytes.size())), "model", kModelVersion));
  return out;
}

TrainedModel TrainedModel::load(const std::string& path) {
  TrainedModel out;
  out.state_ =
      std::make_shared<const State>(ContainerReader(model_path(path), "model", kModelVersion));
  return out;
}

const TrainedModel::State& TrainedModel::state() const {
  if (empty()) fail(ErrorKind::kUsage, "the model is empty; fit() and load() make one");
  return *state_;
}

std::string_view TrainedModel::bytes() const { return state().file.file(); }
void TrainedModel::save(const std::string& path) const { write_atomically(path, bytes()); }
const std::string& TrainedModel::method() const { return state().method; }
const std::vector<std::string>& TrainedModel::classes() const { return state().facts.classes; }
Index TrainedModel::features() const { return state().facts.features; }
const std::string& TrainedModel::fingerprint() const { return state().facts.fingerprint; }
const Settings& TrainedModel::settings() const { return state().settings; }
bool TrainedModel::takes_other_graphs() const { return method_info(method()).new_nodes; }

Predictions predictions_of(const Model& model, std::vector<std::string> classes) {
  const Matrix& log_probs = model.log_probs.value();
  Predictions out{.classes = std::move(classes),
                  .label = {},
                  .probabilities = log_probs.packed(),
                  .embeddings = model.embedding.value().packed(),
                  .embedding_size = model.embedding.cols()};
  kernels::argmax_rows(log_probs, out.label);
  for (float& p : out.probabilities) p = std::exp(p);
  return out;
}

Predictions predict(const TrainedModel& model, const Dataset& data, int threads) {
  const ThreadScope scope(threads);
  validate(data);
  const TrainedModel::State& state = model.state();
  return predictions_of(*restore_model(state.file, data).model, state.facts.classes);
}

}  // namespace scrl
