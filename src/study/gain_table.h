// study/gain_table.h: what one row of a comparison gains over the other, seed by seed.
//
// One table for all data sets and label rates. The gain is the mean difference of accuracies; p is
// that of the paired t-test (eval/significance.h).
#pragma once
#include "study/compare_tables.h"

namespace scrl {

// For a plan of two rows and one protocol: of the first row over the second.
CompareTable gain_table(const Comparison& comparison);

}  // namespace scrl
