// plan/plan.h: what a training will take, told before it starts.
#pragma once
#include <vector>

#include "config/config.h"
#include "config/json.h"

namespace scrl {

struct PlanRequest {
  Dataset data;
  std::vector<Setting> settings;  // lowest precedence first
};

// Of method auto: the same over all members, and `members` with each one's.
// peak_mb, epoch_ms, feature_graph_s, measured ("whole" or "piece"), and the sizes they follow
// from.
//
// A graph of ordinary size is trained for a few epochs, which is quicker than any model of it; of a
// large one a piece is (plan/plan_large.h).
Json run_plan(PlanRequest request);

}  // namespace scrl
