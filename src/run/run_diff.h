// run/run_diff.h: two run folders side by side: what differs, and where their numbers part.
#pragma once
#include <string>
#include <vector>

#include "base/types.h"
#include "config/json.h"

namespace scrl {

// A value of the first run and of the second; empty: the run does not have it.
struct Difference {
  std::string what, a, b;
  std::string origin_a = {}, origin_b = {};  // of settings: who set the value
};

// The first epoch of one training (a seed; of auto a member, in a fold or not) at which a figure
// differs. figure "epochs": one run has no epoch after `epoch`, and a and b are the last ones.
struct Parting {
  int seed = 0;
  std::string member;
  int fold = -1;  // -1: none
  int epoch = 0;
  std::string figure;
  double a = 0, b = 0;  // NaN: the run does not have it
};

struct RunDiff {
  std::vector<Difference> data, settings, split, result;
  Index split_nodes = 0;  // in another part; `split` has the first few
  std::vector<Parting> partings;
  Index compared_epochs = 0;
  // What does not decide a result by itself: program, CPU, threads, time between checkpoints.
  std::vector<Difference> circumstances;

  // Circumstances do not count.
  bool equal() const;
};

// Throws Error(kUsage) for what is not the folder of a run, Error(kModelFile) for a damaged one.
RunDiff diff_runs(const std::string& a, const std::string& b);
Json to_json(const RunDiff& diff);

}  // namespace scrl
