// trust/suspects_request.h: what scrl suspects asks for: which labels, how many, and the test by
// labels that were changed on purpose.
#pragma once
#include <string>
#include <vector>

#include "run/model_file.h"
#include "trust/suspects.h"

namespace scrl {

struct SuspectsRequest {
  Dataset data;
  std::vector<Setting> settings;  // of scrl
  std::vector<NodeId> nodes;      // none: all labelled ones, with `labels` the training nodes
  int folds = 5;
  Index most = 0;   // to list; 0: all that both views contradict
  double flip = 0;  // share of the labels to change first; 0: none
  std::function<void(int fold, int folds)> progress = {};
  std::function<bool()> should_stop = {};
};

// The training and validation nodes of a model, on its data.
void use_nodes_of(LoadedModel& model, SuspectsRequest& request);

struct SuspectAnswer {
  std::vector<Suspect> all, listed;
  Index looked_at = 0, contradicted = 0;  // contradicted: by both views
  Index flipped = 0, found = 0;           // found: of the flipped, among as many first ones
};
SuspectAnswer find_suspects(SuspectsRequest& request);

// id,label,suggested,p_topology,p_features,both_views,score: one label per line, worst first.
std::string suspects_csv(const Dataset& data, const std::vector<Suspect>& suspects);

}  // namespace scrl
