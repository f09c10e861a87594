// tune/tune.h: scrl tune, from a request to the best configuration.
//
// Every configuration and seed is a cell of a store (experiments/compare_store.h), so a search that
// was stopped or killed goes through the same sequence again and trains only what is missing. Data
// and operands are shared by all trainings. Scores on validation nodes decide; those on test nodes
// are in the cells and are looked at once, for the winner, when the search is over.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiments/compare.h"
#include "tune/tune_request.h"
#include "tune/tune_search.h"

namespace scrl {

// Figures of the winner on test nodes, all its seeds.
struct TestFigures {
  std::optional<MeanStd> accuracy, macro_f1;  // none: no test nodes
  std::string result_hash;                    // as in metrics.json of a training with these seeds
};

struct Tuning {
  TuneRequest request;
  DataFacts data;
  TuneSpace space;
  SearchPlan plan;
  std::vector<Trial> trials;
  std::string folder;
  int first_seed = 0;
  int rate = 0;                     // training nodes per class of the split; 0: it has none
  Index val_nodes = 0;              // of the first seed
  int trained = 0;                  // seeds trained by this call; the others were stored
  bool complete = false;            // the budget is used up, or the space is
  bool interrupted = false;         // ended by should_stop
  std::optional<TestFigures> test;  // of the winner, when complete

  const Trial* best() const { return best_trial(trials, plan.rungs); }
  // Settings of a trial but for seed and seeds.
  std::vector<Setting> settings_of(const Trial& trial) const;
};

struct TuneEvents {
  std::function<void(const std::string&)> note;  // one line worth knowing
  std::function<void(const Tuning&, const Trial&, int seed, const EpochStats&, int epochs,
                     const TimeLeft&)>
      epoch;
  std::function<void(const Tuning&, const Trial&)> trial_done;  // with a rung, or failed
  std::function<bool()> should_stop;                            // polled after every epoch
};

// Throws Error before anything is trained, when the default configuration cannot be trained on this
// data, and when no configuration could be trained.
Tuning run_tuning(TuneRequest request, const TuneEvents& events);

}  // namespace scrl
