// run/evaluation.h: scores of a model file on the nodes that its training left for each purpose.
#pragma once
#include <string>
#include <vector>

#include "config/json.h"
#include "eval/metrics.h"
#include "run/model_file.h"

namespace scrl {

struct EvaluatedNodes {
  std::string name;  // train, val, test
  Index nodes = 0;
  Scores scores;
};

struct Evaluation {
  std::string method, dataset;
  Protocol protocol = Protocol::kVal;
  std::vector<EvaluatedNodes> parts;  // those that have nodes
  std::vector<std::string> classes;
  std::vector<Index> confusion;  // counts[truth * classes + predicted] on test nodes; none: empty
};
Json to_json(const Evaluation& e);

// With the split of the model's settings and seed on the data it was loaded for. Throws
// Error(kData) when the classes are not those of the model.
Evaluation evaluate(const LoadedModel& model);

}  // namespace scrl
