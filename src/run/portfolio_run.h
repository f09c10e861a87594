// run/portfolio_run.h: the training of method auto for one seed.
//
// Tasks run one after the other: every member on all training nodes, and under `fixed` every member
// on the training nodes without those of each fold. What a finished task leaves is its parameters
// or its predictions for held-out nodes, so memory holds one model in training at a time.
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "config/config.h"
#include "models/ensemble.h"
#include "train/operand_cache.h"
#include "train/state.h"

namespace scrl {

struct PortfolioTask {
  std::size_t member = 0;
  int fold = -1;  // -1: all training nodes

  bool operator==(const PortfolioTask&) const = default;
};

struct NamedArray {
  std::string name;
  std::vector<float> values;
};

// What is left of a finished task.
struct FinishedTask {
  PortfolioTask task;
  std::vector<NamedArray> params;  // without fold
  std::vector<float> held_out;     // log-probabilities of the nodes that choose weights, row by row
  Scores val, test, oracle;
  int epochs = 0, best_epoch = 0;
  double seconds = 0;
  bool collapsed = false;  // one class for all nodes
};

// One member as metrics.json has it.
struct MemberScore {
  std::string name;
  double weight = 0;
  Scores val, test;
  int epochs = 0, best_epoch = 0;
  double seconds = 0;
};

struct PortfolioEvents {
  std::function<void(const std::string& member, int fold, const EpochStats&, int epochs)> epoch;
  // After each epoch and each task; `state` and `model` are null between two tasks.
  std::function<void(const std::vector<FinishedTask>& done, const TrainState*, const Model*)> save;
  std::function<bool()> should_stop;
  std::function<void(const std::string&)> note;
};

struct PortfolioResult {
  bool interrupted = false;         // made of the members trained so far, the last one cut short
  std::unique_ptr<Ensemble> model;  // evaluated
  std::vector<MemberScore> members;
  Scores oracle;  // of the best member at its best epoch, both chosen on the test nodes
  std::string stopped_because;
};

class PortfolioRun {
 public:
  // REQUIRES: the arguments outlive it; config is resolved.
  PortfolioRun(const Dataset& data, const RunConfig& config, OperandCache& operands,
               const PortfolioEvents& events);

  // `done`: tasks of an earlier process; `restore` puts back the state of the one after them, if
  // there is one.
  PortfolioResult run(int seed, const Split& split, std::vector<FinishedTask> done,
                      const std::function<std::optional<TrainState>(Model&)>& restore);

 private:
  struct Scoring {  // nodes whose labels choose the weights
    std::vector<NodeId> nodes;
    std::vector<std::int32_t> fold,
        labels;  // fold: -1 unless the task without it predicts the node
  };

  Scoring scoring(int seed, const Split& split) const;
  static std::vector<NodeId> held_out_nodes(const PortfolioTask& task, const Scoring& scoring);
  std::vector<PortfolioTask> tasks(const Scoring& scoring) const;
  bool train(const PortfolioTask& task, int seed, const Split& split, const Scoring& scoring,
             const std::function<std::optional<TrainState>(Model&)>& restore);
  std::vector<double> weights(const Scoring& scoring, bool by_class) const;
  std::unique_ptr<Ensemble> ensemble(const std::vector<double>& weights);
  bool out_of_time() const;

  const Dataset& data_;
  const RunConfig& config_;
  OperandCache& operands_;
  const PortfolioEvents& events_;
  const std::vector<MemberConfig>& members_;
  std::vector<FinishedTask> done_;
  double started_ = 0;
};

// Whether one class is predicted for every node.
bool collapsed(const Matrix& log_probs);

}  // namespace scrl
