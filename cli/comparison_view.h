// cli/comparison_view.h: how comparisons look on a terminal: their progress and their tables.
#pragma once
#include "experiments/compare_tables.h"
#include "terminal.h"

namespace scrl::cli {

// Talks to `progress`, which must outlive them, and stops on a caught signal.
CompareEvents events_for(Progress& progress);

// With `star`, what is best is marked where bold print cannot be seen.
void print_table(const CompareTable& table, bool star);
void print_caption(const Comparison& comparison);

// The exit code of a comparison that came to its end: 0, or that of the first training that failed,
// which is told on stderr if nothing was before.
int exit_code(const Comparison& comparison, bool quiet);

}  // namespace scrl::cli
