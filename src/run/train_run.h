// run/train_run.h: scrl train, from a request to a run folder and a report.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "config/config.h"
#include "run/results.h"
#include "run/run_folder.h"
#include "train/operand_cache.h"
#include "train/state.h"

namespace scrl {

struct TrainRequest {
  Dataset data;
  std::string data_reference;     // how config.toml names it
  std::string program = {};       // version and commit, for the record
  std::vector<Setting> settings;  // lowest precedence first
  std::string out;                // run folder; empty: write nothing
  IfExists if_exists = IfExists::kRefuse;
  Index mem_limit = 0;                   // bytes this process may hold; 0: what the machine has
  const Dataset* shared_data = nullptr;  // in place of `data`: lent, must outlive the call
  OperandCache* operands = nullptr;      // of that data, to take from and add to; lent likewise
  bool outputs = true;                   // false: no model, predictions and embeddings in `out`
  // Of a method that learns without labels: files EMBEDDINGS-SEED.embedding with what was learned,
  // read in place of training if they are there and written otherwise. Empty: none.
  std::string embeddings = {};
};

// Everything a person or a program may want to hear while it runs.
struct TrainEvents {
  std::function<void(const Dataset&, const RunConfig&)> loaded;
  // `name`: the method, or the member of a portfolio.
  std::function<void(int seed, const std::string& name, const EpochStats&, int epochs)> epoch;
  std::function<void(const std::string&)> note;  // one line worth knowing
  std::function<bool()> should_stop;             // polled after every epoch
  // The model of the first seed, evaluated, whose files a run folder has.
  std::function<void(const Model&, const RunConfig&, const Split&, const SeedResult&)> trained;
};

struct TrainOutput {
  TrainResult result;
  // Ended by should_stop; the best epoch so far was used, and of a portfolio the members so far.
  bool interrupted = false;
  double reused_seconds = 0;  // what the epochs of embeddings that were read had taken
};

TrainOutput run_training(TrainRequest request, const TrainEvents& events);

}  // namespace scrl
