// experiments/cell_training.h: one cell of a store, from its settings to its outcome.
//
// A cell trains in a run folder of the store, so that a killed process goes on from the last
// checkpoint of the cell it was at.
#pragma once
#include <functional>
#include <string>

#include "experiments/compare_store.h"
#include "run/train_run.h"

namespace scrl {

struct CellTraining {
  const CompareStore& store;
  const CompareCell& cell;
  const Dataset& data;
  std::string data_reference;        // how config.toml names it
  Index mem_limit = 0;               // as in TrainRequest
  OperandCache* operands = nullptr;  // likewise
  bool outputs = true;               // likewise
  std::string embeddings = {};       // likewise
};

// With status kMissing when it was interrupted; its run folder then holds what to go on from. Adds
// nothing to the store. Throws Error, std::bad_alloc.
CellOutcome train_cell(const CellTraining& training, const TrainEvents& events);

// What `train` returns; what it throws as a failed outcome.
CellOutcome outcome_of(const std::function<CellOutcome()>& train);

}  // namespace scrl
