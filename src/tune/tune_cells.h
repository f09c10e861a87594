// tune/tune_cells.h: the cells of the store that a trial is made of, one for each seed.
#pragma once
#include "experiments/compare_store.h"
#include "tune/tune.h"

namespace scrl {

CompareCell cell_of(const Tuning& tuning, const Trial& trial, int seed_index);

// Of a trial with all its seeds. REQUIRES: its cells are in the store.
TestFigures test_figures(const Tuning& tuning, const Trial& trial, const CompareStore& store);

}  // namespace scrl
