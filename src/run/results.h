// run/results.h: what is kept of a training, per seed and over all seeds.
#pragma once
#include <string>

#include "config/json.h"
#include "run/portfolio_run.h"
#include "train/state.h"

namespace scrl {

struct SeedResult {
  int seed = 0, epochs = 0, best_epoch = 0, oracle_epoch = 0;
  Scores test, val, oracle;
  double train_ms = 0, epoch_ms = 0;  // medians
  std::string stopped_because, hash;
  std::vector<MemberScore> members;  // of a portfolio
};
Json to_json(const SeedResult& r);
SeedResult seed_result_from_json(const Json& j);

SeedResult summarize(int seed, const TrainState& state, const std::string& stopped_because,
                     const Model& model);

SeedResult summarize(int seed, const PortfolioResult& portfolio, const Dataset& data,
                     const Split& split);

Json to_json(const FinishedTask& t);  // without its arrays
FinishedTask finished_task_from_json(const Json& j);

// The run's figures over all seeds, as metrics.json holds them.
Json metrics_json(const RunConfig& config, const Dataset& data, const Split& split,
                  const std::vector<SeedResult>& seeds);

}  // namespace scrl
