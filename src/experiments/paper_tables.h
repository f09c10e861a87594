// experiments/paper_tables.h: our figures beside those of the paper, in the layout of scrl
// reproduce.
//
// One table per data set and label rate. For accuracy, and for macro-F1 where the paper has it:
//   paper | oracle | val ...       the protocols in the order of the plan
// and the number of seeds in every heading.
#pragma once
#include <string>
#include <vector>

#include "experiments/compare_tables.h"

namespace scrl {

std::vector<CompareTable> paper_tables(const Comparison& comparison);

}  // namespace scrl
