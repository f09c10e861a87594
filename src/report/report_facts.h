// report/report_facts.h: what the script of a page knows of runs and their nodes.
// report/src/data.ts reads it.
#pragma once
#include <string>
#include <vector>

#include "config/json.h"
#include "report/report_run.h"

namespace scrl {

struct ReportFacts {
  Json json;           // names, epochs, and where each array lies
  std::string arrays;  // report/report_blob.h
};

ReportFacts report_facts(const std::vector<ReportRun>& runs, Layout2d layout);

}  // namespace scrl
