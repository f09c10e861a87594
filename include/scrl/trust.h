// scrl/trust.h: what may be concluded from a prediction, and what to do next. docs/trust.md.
#pragma once
#include <string>
#include <vector>

#include "scrl/dataset.h"
#include "scrl/model.h"

namespace scrl {

// `data` below is the data that the model was trained on.

struct ClassSets {
  std::vector<std::vector<std::int32_t>> sets;  // by node: class numbers, most probable first
  bool guaranteed = false;
  std::string statement;  // which score, how many labels, what is promised and for which nodes
};
// Sets of classes that have the true one with probability `coverage`, between 0 and 1. `nonempty`:
// an empty set gets the most probable class. Error(kUsage) with fewer labels than that takes.
ClassSets predict_sets(const TrainedModel& model, const Dataset& data, double coverage,
                       bool nonempty = false);

struct Query {
  NodeId node = 0;
  double gain = 0, doubt = 0;
  Index represents = 0;
  std::string reason;
};
// Which nodes to label next, in order: with a model, or without one and any label.
std::vector<Query> query(const TrainedModel& model, const Dataset& data, Index count);
std::vector<Query> query(const Dataset& data, Index count);

// Why the model predicts this class for this node, as JSON (docs/trust.md names the fields). `top`:
// how many edges, similar nodes and features; 0: all. Error(kUsage) when there is no such id.
std::string explain(const TrainedModel& model, const Dataset& data, const std::string& id,
                    Index top = 0);

struct SuspectLabel {
  NodeId node = 0;
  std::int32_t label = 0, suggested = 0;
  double p_topology = 0, p_features = 0;  // of the label, predicted without it
  bool both_views = false;                // contradict it
  double score = 0;
};
// Labels by how much predictions contradict them that were made without them; all labelled nodes of
// `data`, or with the setting `labels` its training nodes. Settings are those of method scrl.
std::vector<SuspectLabel> suspects(const Dataset& data, const Settings& settings = {});

}  // namespace scrl
