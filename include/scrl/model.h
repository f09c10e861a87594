// scrl/model.h: training a model, and the trained model in memory.
//
//   const FitResult r = fit(data, {{"method", "scrl"}});
//   r.report.accuracy;  r.predictions.label;  r.model.save("model.scrl");
// Calls from several threads at once are safe, and give the bits they give alone.
#pragma once
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "scrl/dataset.h"

namespace scrl {

// Any setting of "scrl train", e.g. {{"method", "scrl"}, {"labels", "20"}, {"lr", "0.001"}}. An
// unknown key or a bad value is Error(kUsage). docs/options.md lists them.
using Settings = std::map<std::string, std::string>;

// What is known of every node of a graph, in node order.
struct Predictions {
  std::vector<std::string> classes;  // names by class number
  std::vector<std::int32_t> label;   // most probable class of each node
  std::vector<float> probabilities;  // nodes x classes, row by row
  std::vector<float> embeddings;     // nodes x embedding_size, row by row
  Index embedding_size = 0;
};

// A trained model: parameters, settings, class names and the fingerprint of its data. Copies share
// what they hold, and nothing in it changes.
class TrainedModel {
 public:
  TrainedModel() = default;  // empty: any other call than empty() is an error
  // The content of a model.scrl. `name` is what messages call it. Throws Error(kModelFile) when it
  // is damaged or of another version.
  static TrainedModel from_bytes(std::string_view bytes, const std::string& name = "model");
  static TrainedModel load(const std::string& path);  // a model.scrl, or a run folder with one

  std::string_view bytes() const;            // what a model.scrl holds; lives as long as a copy
  void save(const std::string& path) const;  // atomically

  bool empty() const { return state_ == nullptr; }
  const std::string& method() const;
  const std::vector<std::string>& classes() const;
  Index features() const;                  // columns
  const std::string& fingerprint() const;  // of the data it was trained on
  const Settings& settings() const;        // every one, as it was in training
  // Whether predict() takes other graphs than that of the training.
  bool takes_other_graphs() const;

  struct State;
  const State& state() const;

 private:
  std::shared_ptr<const State> state_;
};

struct EpochReport {
  int seed = 0, epoch = 0, epochs = 0;  // epoch counts from 1
  std::string member;                   // of method auto; else the method
  double loss = 0, train_accuracy = 0, val_accuracy = 0, val_loss = 0, milliseconds = 0;
};

// One model of method auto, in the first seed.
struct MemberReport {
  std::string name;
  double weight = 0, val_accuracy = 0, test_accuracy = 0, seconds = 0;
  int epochs = 0, best_epoch = 0;
};

struct FitReport {
  bool has_test = false;  // false: the data has no test nodes, and the scores below are 0
  double accuracy = 0, accuracy_std = 0, macro_f1 = 0, macro_f1_std = 0;  // percent, over the seeds
  double val_accuracy = 0;  // percent; 0 without validation nodes
  int best_epoch = 0;       // of the first seed
  std::string protocol;     // how the epoch was chosen
  // Equal hashes: equal bits of predictions before calibration, embeddings and weights.
  std::string result_hash;
  std::string json;                   // everything, as metrics.json holds it
  Split split;                        // which nodes trained, chose and tested in the first seed
  std::vector<EpochReport> history;   // every epoch, in the order of training
  std::vector<MemberReport> members;  // of method auto; else empty
  bool interrupted = false;           // ended by `progress`
};

struct FitOptions {
  // Called after every epoch; false ends training with the best epoch so far, and method auto with
  // the members trained so far. An exception it throws ends training and passes on to the caller.
  std::function<bool(const EpochReport&)> progress;
  std::function<void(const std::string&)> note;  // one line worth knowing
  int threads = 0;                               // of this call; 0: as set_threads() says
  // Where a run folder is written, as "scrl train -o" writes it; it must not hold a run yet.
  std::string run_folder;
};

struct FitResult {
  FitReport report;
  TrainedModel model;       // of the first seed
  Predictions predictions;  // of that model, for all nodes of the data
};

// REQUIRES: arrays that `data` borrows do not change meanwhile.
FitResult fit(const Dataset& data, const Settings& settings = {}, const FitOptions& options = {});

// All nodes of `data`: the data of the training, or a graph with the same feature columns. Throws
// Error(kModelFile) when the columns differ.
Predictions predict(const TrainedModel& model, const Dataset& data, int threads = 0);

// Threads of calls that do not say otherwise, from now on; 0 means one per core. Results do not
// depend on it.
void set_threads(int count);

}  // namespace scrl
