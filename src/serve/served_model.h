// serve/served_model.h: a trained model as the server holds it: the answers of all nodes of its
// data, worked out once, and what predicts new ones. Nothing in it changes while it is served.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "config/json.h"
#include "data/id_map.h"
#include "scrl/predictor.h"
#include "serve/predict_request.h"
#include "tensor/matrix.h"
#include "trust/model_sets.h"

namespace scrl {

// Prediction sets for one alpha.
struct ServedSets {
  double alpha = 0;
  ModelSets known;
  float new_q = 0;  // of new nodes, by APS
};

class ServedModel {
 public:
  // RUN is a run folder or a model.scrl, DATA what it was trained on; empty: what config.toml
  // beside it names. Throws Error as scrl predict does.
  ServedModel(const std::string& run, const std::string& data);

  const std::string& hash() const { return hash_; }  // of the bytes of the model file
  const std::string& method() const { return method_; }
  const std::vector<std::string>& classes() const { return classes_; }
  const std::vector<std::string>& class_json() const { return class_json_; }  // names as JSON
  KnownNodes known() const { return {ids_, features_}; }
  std::string id(NodeId node) const { return ids_.name(node); }
  const Matrix& log_probs() const { return log_probs_; }
  const Json& description() const { return description_; }  // what GET /v1/model answers

  // Throws Problem(422) when the method cannot predict new nodes, with the reason.
  void require_new_nodes() const;
  Predictions predict(const Csr& features, const Csr& edges) const;

  // Throws Error(kUsage) when the model has no labels for sets, or too few.
  ServedSets sets(double alpha) const;
  // member[i * classes + c]
  std::vector<bool> sets_of_new(const ServedSets& sets, std::span<const std::string> ids,
                                std::span<const float> probabilities) const;

 private:
  void describe(const LoadedModel& model);

  std::string hash_, method_;
  std::vector<std::string> classes_, class_json_;
  IdMap ids_;
  Index features_ = 0;
  Matrix log_probs_;
  std::optional<Predictor> predictor_;
  std::string no_predictor_;  // why there is none
  std::optional<SetSource> sets_;
  std::string no_sets_;
  Json description_;
};

}  // namespace scrl
