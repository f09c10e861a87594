// plan/plan.h: what a training will take, told before it starts.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "config/config.h"
#include "config/json.h"

namespace scrl {

struct PlanRequest {
  Dataset data;
  std::vector<Setting> settings;  // lowest precedence first
};

struct MemberPlan {
  std::string name;
  int epochs = 0;
  double epoch_ms = 0, peak_mb = 0;
};

struct TrainingPlan {
  std::string data, method;
  Precision precision = Precision::kFloat32;
  Index nodes = 0;
  bool whole = false;  // measured on all nodes; else on a piece
  int epochs = 0, seeds = 0;
  std::optional<double> prepare_s;  // none: not measured
  double epoch_ms = 0, peak_mb = 0, available_mb = 0;
  std::vector<MemberPlan> members;  // of auto, where the figures above are those of all together
};
Json to_json(const TrainingPlan& plan);

// A graph of ordinary size is trained for a few epochs, which is quicker than any model of it; of a
// large one a piece is (plan/plan_large.h).
TrainingPlan plan_training(PlanRequest request);

}  // namespace scrl
