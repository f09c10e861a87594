// experiments/compare.h: scrl compare, from a request to trained cells and their tables.
//
// Every cell trains in a run folder below the comparison's folder, so that a killed comparison goes
// on from the last checkpoint of the cell it was at. A cell that fails is kept as failed, with the
// reason, and tried again by the next call; the others go on.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "experiments/compare_plan.h"
#include "experiments/compare_store.h"
#include "train/state.h"

namespace scrl {

// Seconds until the end. Cells of a method that has not been timed on this data are not guessed.
struct TimeLeft {
  double seconds = 0;
  bool at_least = false;  // some cells are not counted
};

struct Comparison {
  ComparePlan plan;
  std::vector<CellOutcome> outcomes;  // one per cell of the plan
  std::string folder;
  int trained = 0;           // cells of this call; the others were stored
  bool interrupted = false;  // ended by should_stop
};

struct CompareEvents {
  std::function<void(const std::string&)> note;  // one line worth knowing
  std::function<void(const ComparePlan&, std::size_t cell, int seed, const EpochStats&,
                     const TimeLeft&)>
      epoch;
  std::function<void(const Comparison&, std::size_t cell)> cell_done;
  std::function<bool()> should_stop;  // polled after every epoch
};

// Throws Error(kUsage, kData) before anything is trained; later failures are those of a cell. The
// results go to `store` under the name of the table, or to a store of their own as "results".
Comparison run_comparison(CompareRequest request, const CompareEvents& events,
                          const CompareStore* store = nullptr);

// What is left while cell `running` has `rest` seconds to go: of the cells after it that are
// missing, those are counted whose method was timed on the same data (the mean of its cells). What
// an earlier cell learns without labels is not learned again and not counted.
TimeLeft time_left(const Comparison& comparison, std::size_t running, double rest);

}  // namespace scrl
