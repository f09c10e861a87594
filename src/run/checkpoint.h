// run/checkpoint.h: checkpoint.scrl, from which a killed run goes on to the same bytes.
//
// A container of kind "checkpoint": `meta` (JSON: data fingerprint, results of the seeds that are
// done, tasks of a portfolio that are, length of events.jsonl), what those tasks left, and, inside
// a seed, the training state (train/state.h). It replaces its predecessor atomically.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "io/container.h"
#include "run/portfolio_run.h"
#include "run/results.h"

namespace scrl {

inline constexpr std::uint32_t kCheckpointVersion = 7;

class Checkpoint {
 public:
  // Throws Error(kModelFile) on damage, Error(kUsage) when the data is not what it was.
  Checkpoint(const std::string& path, const std::string& fingerprint);

  std::vector<SeedResult> results;  // seeds that are done
  Index event_bytes = 0;
  // The seed in progress, if there is one.
  std::optional<TrainState> restore(Model& model) const;
  // Tasks of a portfolio that are done in the seed in progress.
  std::vector<FinishedTask> finished_tasks() const;

 private:
  JsonFields fields() const;
  std::vector<float> numbers(const std::string& section) const;

  ContainerReader in_;
  Json meta_;
};

struct RunProgress {
  std::string fingerprint;
  std::vector<SeedResult> results;
  std::vector<FinishedTask> tasks = {};  // of a portfolio, in the seed in progress
  Index event_bytes = 0;
};
// state == nullptr: between two seeds or two tasks.
void write_checkpoint(const std::string& path, const RunProgress& progress, const TrainState* state,
                      const Model* model);

}  // namespace scrl
