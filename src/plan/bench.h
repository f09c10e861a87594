// plan/bench.h: how fast a method trains on a data set, op by op, next to what the machine allows.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "config/json_file.h"
#include "plan/machine_ceilings.h"

namespace scrl {

struct BenchRequest {
  const Dataset& data;
  std::vector<Setting> settings;  // lowest precedence first
  int epochs = 30;                // measured, after a few that are not
};

struct Spread {
  double median = 0, p25 = 0, p75 = 0, min = 0;
};

struct EpochTimes {
  Spread epoch_ms, step_ms;  // whole epochs, and their train steps
};
Json to_json(const EpochTimes& times);
EpochTimes epoch_times_from_json(const JsonFields& j);  // throws Json::exception

// All ops of one kind, direction and shape, per epoch.
struct OpTime {
  std::string op;
  double calls = 0, ms = 0, bound_ms = 0, gflops = 0, stream_gb_s = 0, gather_gb_s = 0;
};

struct BenchResult {
  std::string data, method;
  Profile profile = Profile::kDefault;
  Precision precision = Precision::kFloat32;
  Index nodes = 0, edges = 0;  // edges: stored entries of the graphs
  int threads = 0, epochs = 0;
  std::string simd;
  double load_ms = 0, prepare_ms = 0;  // load_ms: filled by whoever loaded the data
  EpochTimes times;
  std::optional<double> bound_ms;      // the roofline bound of the ops; none: the method has no ops
  std::vector<OpTime> ops;             // longest first
  MachineCeilings ceilings;            // measured in the same run
  double buffers_mb = 0, peak_mb = 0;  // peak_mb: the most this process has held so far

  double bound_ratio() const { return times.epoch_ms.median / bound_ms.value(); }
};
Json to_json(const BenchResult& r);

// Trains for a few epochs; docs/benchmarks.md, "What is measured".
BenchResult run_bench(const BenchRequest& request);

}  // namespace scrl
