// tune/tune_request.h: what scrl tune is asked for, and what is wrong with it before data is read.
#pragma once
#include <string>
#include <vector>

#include "tune/tune_space.h"

namespace scrl {

// Either is 0.
struct TuneBudget {
  int trials = 0;
  double seconds = 0;
};
TuneBudget parse_budget(const std::string& text);  // "50", "90s", "10m", "2h"

struct TuneRequest {
  std::string data;  // as load_dataset takes it
  std::string method = "scrl";
  int labels = 0;                  // 0: the split of the data
  std::vector<std::string> space;  // KEY=A,B,C, KEY=LOW..HIGH or a file, in order
  TuneBudget budget;
  int seeds = 8;                  // of the last rung
  std::vector<Setting> settings;  // of train, the same for all trials; lowest precedence first
  std::string folder;             // empty: tune/NAME-METHOD[-LABELS]
  std::string program;            // version; another one trains anew
  Index mem_limit = 0;            // as in TrainRequest
};

// Throws Error(kUsage) on anything that can be known to be wrong before data is read.
void check_request(const TuneRequest& request);

// The settings that all trials share, --profile among them.
std::vector<Setting> shared_settings(const TuneRequest& request);

// The space for the method of `start` on data with so many classes: the default one unless a file
// was named, without settings that have one value for all, then what was asked for.
TuneSpace searched_space(const TuneRequest& request, const RunConfig& start, Index classes);

}  // namespace scrl
