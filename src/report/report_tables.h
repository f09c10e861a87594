// report/report_tables.h: the parts of a report that are text and tables, readable without a
// script.
#pragma once
#include <string>
#include <vector>

#include "report/report_run.h"

namespace scrl {

// Accuracy and macro-F1 over the seeds, one row per run, and what the protocol means.
std::string results_html(const std::vector<ReportRun>& runs);
// Training, classes, calibration, views, data and settings of one run. `level`: of its headings.
std::string run_html(const ReportRun& run, std::size_t number, int level);

}  // namespace scrl
