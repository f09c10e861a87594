// plan/bench.h: how fast a method trains on a data set, op by op, next to what the machine allows.
#pragma once
#include <string>
#include <vector>

#include "config/config.h"
#include "config/json.h"

namespace scrl {

struct BenchRequest {
  const Dataset& data;
  std::vector<Setting> settings;  // lowest precedence first
  int epochs = 30;                // measured, after a few that are not
};

// Trains for a few epochs and tells (docs/benchmarks.md, "What is measured"):
//   epoch_ms, step_ms       median, quartiles and fastest of whole epochs and of their train steps
//   ops                     per kind of op and direction: calls, ms, GFLOP/s, GB/s, bound_ms
//   bound_ms, bound_ratio   the roofline bound of the op list, and epoch_ms.median over it; null
//                           for a method that descends by itself
//   peaks                   of the machine, measured in the same run
//   peak_mb                 the most memory this process has held so far
Json run_bench(const BenchRequest& request);

}  // namespace scrl
