#include "serve/served_model.h"

#include <cmath>

#include "base/error.h"
#include "base/hash.h"
#include "data/dataset.h"
#include "run/run_folder.h"
#include "run/trained_model.h"
#include "serve/json_reader.h"
#include "serve/problem.h"

namespace scrl {
namespace {

IdMap ids_of(const Dataset& data) {
  if (data.ids.empty()) return IdMap::numbers(data.nodes);
  IdMap out;
  for (const std::string& id : data.ids) out.add(id);
  return out;
}

// What `make` gives; where it refuses as a matter of usage, nothing and the reason.
template <class T, class Make>
void try_to(std::optional<T>& out, std::string& why_not, Make make) {
  try {
    out.emplace(make());
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::kUsage) throw;
    why_not = e.what();
  }
}

}  // namespace

ServedModel::ServedModel(const std::string& run, const std::string& data) {
  const std::string path = model_path(run);
  const TrainedModel trained = TrainedModel::load(path);
  hash_ = Hasher().bytes(trained.bytes().data(), trained.bytes().size()).hex();
  method_ = trained.method();
  Dataset graph = load_dataset(data.empty() ? data_of_model(path) : data);
  LoadedModel loaded{restore_model(trained.state().file, graph), {}};
  loaded.data = std::move(graph);
  if (!loaded.same_data)
    fail(ErrorKind::kUsage, loaded.data.source, ": is not the data this model was trained on; ",
         "answers are looked up there and new nodes join it");
  classes_ = loaded.facts.classes;
  for (const std::string& c : classes_) append_json_text(class_json_.emplace_back(), c);
  ids_ = ids_of(loaded.data);
  features_ = loaded.facts.features;
  log_probs_ = loaded.model->log_probs.value();
  try_to(sets_, no_sets_, [&] { return SetSource(loaded); });
  try_to(predictor_, no_predictor_, [&] { return Predictor(trained, loaded.data); });
  describe(loaded);
}

void ServedModel::describe(const LoadedModel& m) {
  Json settings = Json::object();
  for (const Setting& s : m.config->values()) settings[s.key] = s.value;
  description_ = {{"model", hash_},
                  {"method", m.config->run.method},
                  {"dataset", m.facts.dataset},
                  {"fingerprint", m.facts.fingerprint},
                  {"nodes", m.data.nodes},
                  {"features", features_},
                  {"classes", classes_},
                  {"protocol", name_of(m.config->train.protocol)},
                  {"seed", m.facts.seed},
                  {"best_epoch", m.facts.best_epoch},
                  {"temperature", m.facts.temperature},
                  {"new_nodes", predictor_.has_value()},
                  {"neighbour_means", predictor_ && predictor_->neighbour_means()},
                  {"sets", sets_.has_value()},
                  {"settings", settings}};
}

void ServedModel::require_new_nodes() const {
  if (!predictor_) throw Problem(422, no_predictor_, "nodes");
}

Predictions ServedModel::predict(const Csr& features, const Csr& edges) const {
  require_new_nodes();
  return predictor_->predict(
      {.nodes = features.rows, .features = features, .edges = edges, .edges_among = {}});
}

ServedSets ServedModel::sets(double alpha) const {
  if (!sets_) fail(ErrorKind::kUsage, no_sets_);
  const double coverage = 1 - alpha;
  return {.alpha = alpha,
          .known = sets_->sets(coverage, false),
          .new_q = sets_->aps_quantile(coverage)};
}

std::vector<bool> ServedModel::sets_of_new(const ServedSets& sets, std::span<const std::string> ids,
                                           std::span<const float> probabilities) const {
  const Index M = static_cast<Index>(classes_.size());
  Matrix log_probs(static_cast<Index>(ids.size()), M);
  for (Index i = 0; i < log_probs.rows(); ++i)
    for (Index c = 0; c < M; ++c)
      log_probs(i, c) = std::log(probabilities[static_cast<std::size_t>(i * M + c)]);
  return sets_->sets_of_new(ids, log_probs, sets.new_q);
}

}  // namespace scrl
