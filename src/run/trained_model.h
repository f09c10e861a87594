// run/trained_model.h: what is behind a TrainedModel (scrl/model.h): the bytes of a model.scrl, all
// of them checked, and what they say of the training.
#pragma once
#include <memory>
#include <string>

#include "config/config.h"
#include "io/container.h"
#include "run/model_file.h"
#include "scrl/model.h"

namespace scrl {

struct TrainedModel::State {
  explicit State(ContainerReader file);

  ContainerReader file;
  ModelFacts facts;
  std::string method;
  Settings settings;
};

// All nodes of a model that has been evaluated.
Predictions predictions_of(const Model& model, std::vector<std::string> classes);

}  // namespace scrl
