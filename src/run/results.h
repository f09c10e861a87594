// run/results.h: what is kept of a training, per seed and over all seeds.
#pragma once
#include <optional>
#include <string>

#include "config/json_file.h"
#include "neighbors/knn_recall.h"
#include "run/calibration.h"
#include "run/portfolio_run.h"
#include "train/state.h"

namespace scrl {

struct SeedResult {
  int seed = 0, epochs = 0, best_epoch = 0, oracle_epoch = 0;
  Scores test, val, oracle;
  double train_ms = 0, epoch_ms = 0;  // medians
  std::string stopped_because, hash;
  std::vector<MemberScore> members;  // of a portfolio
  std::optional<TemperatureResult> calibration = {};
};
Json to_json(const SeedResult& r);
// What a file says, here and below: Error(kModelFile) where a value cannot be.
SeedResult seed_result_from_json(const JsonFields& j);

SeedResult summarize(int seed, const TrainState& state, const std::string& stopped_because,
                     const Model& model);

SeedResult summarize(int seed, const PortfolioResult& portfolio, const Dataset& data,
                     const Split& split);

Json to_json(const FinishedTask& t);  // without its arrays
FinishedTask finished_task_from_json(const JsonFields& j);

// What a training comes to: what metrics.json holds.
struct TrainResult {
  std::string method, dataset;
  int labels_per_class = 0;
  Protocol protocol = Protocol::kVal;
  SplitSource split = SplitSource::kData;
  Index train_nodes = 0, val_nodes = 0, test_nodes = 0;
  std::vector<SeedResult> seeds;  // one at least
  double peak_rss_mb = 0;
  bool interrupted = false;  // the best epoch so far counts
  std::optional<Recall> knn_recall =
      {};  // of the approximate search for neighbours, if there was one

  bool tested() const { return test_nodes > 0; }
  std::string result_hash() const;

  // Over the seeds.
  MeanStd accuracy() const;
  MeanStd macro_f1() const;
  MeanStd val_accuracy() const;
  Scores oracle() const;  // chosen on the test nodes: a diagnostic, never a result
  double train_ms() const;
  double epoch_ms() const;
};
Json to_json(const Recall& r);
TrainResult train_result(const RunConfig& config, const Dataset& data, const Split& split,
                         std::vector<SeedResult> seeds, bool interrupted);
Json to_json(const TrainResult& r);
TrainResult train_result_from_json(const JsonFields& j);
TrainResult read_train_result(const std::string& file);

}  // namespace scrl
