// experiments/reproduce.h: scrl reproduce, the tables of the paper by the machinery of scrl
// compare.
//
// All tables share one folder and its cells: what two of them have in common is trained once, and
// whatever was trained is not trained again.
#pragma once
#include <string>
#include <vector>

#include "experiments/compare.h"

namespace scrl {

struct ReproduceRequest {
  std::vector<std::string> tables = {"all"};  // names of experiments/paper_experiments.h
  std::vector<std::string> methods = {};      // of their rows; empty: all of them
  std::vector<std::string> only = {};         // of their data sets; empty: all of them
  std::vector<int> labels = {};               // of their label rates; empty: all of them
  int seeds = 0;                              // 0: as many as in the paper
  int bench_epochs = 10;                      // behind a time per epoch
  std::vector<Setting> settings = {};         // as in CompareRequest
  std::string folder = "reproduce", program = {};
  bool any_build = false;
  Index mem_limit = 0;
};

struct Reproduction {
  std::vector<Comparison> tables;    // up to the one that was interrupted
  std::vector<std::string> skipped;  // sentences: what and why
  std::string folder;
  bool interrupted = false;
};

// What is to be run. A restriction that leaves nothing of a table, or data that is not there, is an
// error when the table was asked for by its name, and goes to `skipped` when all were. Throws
// Error(kUsage, kData).
std::vector<CompareRequest> plan_reproduction(const ReproduceRequest& request,
                                              std::vector<std::string>& skipped);

// Each table is written when it is done; `table_done` hears of it.
Reproduction reproduce(const ReproduceRequest& request, const CompareEvents& events,
                       const std::function<void(const Comparison&)>& table_done);

}  // namespace scrl
