// scrl/predict.h: using a trained model.
#pragma once
#include <string>
#include <vector>

#include "scrl/dataset.h"

namespace scrl {

struct Predictions {
  std::vector<std::string> ids;      // one per node
  std::vector<std::string> classes;  // names by class number
  std::vector<std::int32_t> label;   // most probable class of each node
  std::vector<float> probabilities;  // nodes x classes, row by row
  std::vector<float> embeddings;     // nodes x embedding_size, row by row
  Index embedding_size = 0;
};

// `model` is a run folder or a model.scrl. `data` is the data it was trained on, or a graph with
// the same feature columns. Throws Error(kModelFile) when the file is damaged or does not fit.
Predictions predict(const std::string& model, const Dataset& data);

}  // namespace scrl
