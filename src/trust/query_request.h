// trust/query_request.h: what scrl query asks for, from a data set or a trained model.
#pragma once
#include <string>
#include <vector>

#include "run/model_file.h"
#include "trust/query.h"

namespace scrl {

struct QueryAnswer {
  std::vector<Queried> nodes;        // in the order in which they should be labelled
  std::vector<std::string> reasons;  // one sentence each
  Index labelled = 0, candidates = 0;
  bool with_model = false;
};

// Candidates are the nodes without a label; with `no_labels` all, as if no label were known. Throws
// Error(kUsage) when there is no candidate.
QueryAnswer query_data(const Dataset& data, bool no_labels, Index count, std::uint64_t seed);

// Candidates are the nodes that the training left alone: in no part of its split.
QueryAnswer query_model(const LoadedModel& model, Index count);

// id,gain,represents,doubt,reason: one node per line, in order.
std::string query_csv(const Dataset& data, const QueryAnswer& answer);

}  // namespace scrl
