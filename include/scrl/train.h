// scrl/train.h: training a model.
#pragma once
#include <functional>
#include <map>
#include <string>

#include "scrl/dataset.h"

namespace scrl {

// Any setting of "scrl train", e.g. {{"method", "scrl"}, {"labels", "20"}, {"lr", "0.001"}}. An
// unknown key or a bad value is Error(kUsage). docs/options.md lists them.
using Settings = std::map<std::string, std::string>;

struct EpochReport {
  int seed = 0, epoch = 0, epochs = 0;  // epoch counts from 1
  double loss = 0, train_accuracy = 0, val_accuracy = 0, milliseconds = 0;
};

struct TrainingReport {
  bool has_test = false;  // false: the data has no test nodes, and the scores below are 0
  double accuracy = 0, accuracy_std = 0, macro_f1 = 0, macro_f1_std = 0;  // percent, over the seeds
  std::string protocol;     // how the epoch was chosen
  std::string result_hash;  // equal hashes: equal bits of predictions, embeddings and weights
  std::string json;         // everything, as metrics.json holds it
  bool interrupted = false;
};

// Trains on `data`. With a run folder, writes it as "scrl train -o" does; it must not hold a run
// yet. `progress` is called after every epoch; returning false ends training with the best epoch so
// far. Method auto, the default, has no result before all its members are trained: ended before,
// the report says `interrupted` and nothing else.
TrainingReport train(const Dataset& data, const Settings& settings = {},
                     const std::string& run_folder = "",
                     const std::function<bool(const EpochReport&)>& progress = {});

// Threads used from now on; 0 means one per core. Results do not depend on it.
void set_threads(int count);

}  // namespace scrl
