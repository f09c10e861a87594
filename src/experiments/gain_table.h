// experiments/gain_table.h: what rows of a comparison gain over its last one, seed by seed.
//
// The gain is the mean difference of accuracies; p is that of the paired t-test
// (eval/significance.h). Two rows make one table for all data sets and label rates, more of them
// one table each.
#pragma once
#include "experiments/compare_tables.h"

namespace scrl {

// REQUIRES: a plan of two or more rows and one protocol.
std::vector<CompareTable> gain_tables(const Comparison& comparison);

}  // namespace scrl
