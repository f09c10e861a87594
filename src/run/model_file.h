// run/model_file.h: model.scrl, a trained model that explains itself.
//
// A container (io/container.h) of kind "model" with the sections
//   meta       JSON: method, options, data set, fingerprint, protocol, seed, epoch, classes
//   ids        the node ids, one per line; empty when they are the numbers 0..n-1
//   param/...  the parameters, float32, row by row
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "config/config.h"
#include "data/dataset.h"
#include "io/container.h"
#include "models/model.h"
#include "train/prepare.h"

namespace scrl {

inline constexpr std::uint32_t kModelVersion = 6;

ContainerWriter model_file(const Model& model, const RunConfig& config, const Dataset& data,
                           int seed, int best_epoch);

// What a model file says of the training, besides its settings.
struct ModelFacts {
  std::string dataset;      // a name
  std::string fingerprint;  // of that data
  int seed = 0, best_epoch = 0;
  double temperature = 1;            // of the probabilities
  Index features = 0;                // columns
  std::vector<std::string> classes;  // names by class number
};

// What a model file says of itself. Throws Error(kModelFile) when it is of another version or does
// not say all it must.
struct ModelHeader {
  ModelFacts facts;
  std::unique_ptr<RunConfig> config;
};
ModelHeader read_header(const ContainerReader& file);

// A model put back on a graph: of its own data set or of one with the same features and classes.
struct RestoredModel : ModelHeader {
  bool same_data = true;                     // the fingerprint is that of the training data
  std::shared_ptr<const Operands> operands;  // none: auto, whose members have their own
  std::unique_ptr<Model> model;              // evaluated: log_probs and embedding are filled
};
// Throws Error(kModelFile) when the file does not fit the data.
RestoredModel restore_model(const ContainerReader& file, const Dataset& data);

// The models that a file is made of, with their parameters: one, or the members of auto.
struct ModelPart {
  std::string name;  // of the member; of one model empty
  double weight = 1;
  std::unique_ptr<RunConfig> config;
  std::shared_ptr<const Operands> operands;
  std::unique_ptr<Model> model;  // not evaluated
};
std::vector<ModelPart> restore_parts(const ContainerReader& file, const Dataset& data);

struct LoadedModel : RestoredModel {
  Dataset data;
};
// Throws Error(kModelFile) when the file is damaged or does not fit the data.
LoadedModel load_model(const std::string& path, Dataset data);

// A model of the shape that the settings give, ready for load_params().
std::unique_ptr<Model> untrained_model(const Operands& operands, const RunConfig& config,
                                       Index classes);

// What the model was trained on: the data set that config.toml beside it names. The model file
// itself holds no path, so that the same training gives the same bytes wherever the data lies.
std::string data_of_model(const std::string& path);

}  // namespace scrl
