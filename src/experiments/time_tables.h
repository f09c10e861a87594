// experiments/time_tables.h: a comparison that measured epoch times (CompareRequest::bench_epochs),
// as the table of scrl reproduce fig-time and as files.
#pragma once
#include <string>
#include <vector>

#include "experiments/compare_tables.h"

namespace scrl {

CompareTable time_table(const Comparison& comparison);  // all data sets
std::vector<std::string> time_caption(const Comparison& comparison);
std::string times_csv(const Comparison& comparison);
Json times_json(const Comparison& comparison);

}  // namespace scrl
