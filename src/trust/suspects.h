// trust/suspects.h: labels that are probably wrong (confident learning; Northcutt et al., JAIR
// 2021).
//
// Every labelled node is predicted by models that were trained without its label: method scrl in a
// stratified cross-validation, whose two views, topology and feature graph, answer for themselves.
// Each view gets the temperature that suits the held-out labels.
//   margin_v(i) = max_c log p_v(i, c) - log p_v(i, y_i)      0: view v agrees with the label
//   score(i)    = margin_t(i) + margin_f(i)
// A label that both views contradict is a suspect. Suspects come first, then labels that one view
// contradicts; each by falling score.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "config/config.h"
#include "data/dataset.h"

namespace scrl {

struct SuspectRequest {
  const Dataset& data;
  std::vector<Setting> settings;  // of scrl, lowest precedence first
  std::vector<NodeId> nodes;      // labelled, whose labels are doubted
  int folds = 5;
  std::function<void(int fold, int folds)> progress = {};
  std::function<bool()> should_stop = {};
};

struct Suspect {
  NodeId node = 0;
  std::int32_t label = 0, suggested = 0;  // suggested: most probable in both views together
  double p_topology = 0, p_features = 0;  // of the label
  bool both = false;                      // views contradict it
  double score = 0;
};

// Those of scrl under `fixed`, which is what is trained.
std::vector<Setting> suspects_settings(std::vector<Setting> settings);

// All of request.nodes in order. Throws Error(kUsage) with fewer than two labelled nodes or
// classes. None: should_stop said so.
std::vector<Suspect> rank_suspects(const SuspectRequest& request);

// A test of it: `share` of the labels of these nodes, at least one, become another class at random.
// The nodes that were changed; labels by node.
std::vector<NodeId> flip_labels(std::vector<std::int32_t>& labels, std::span<const NodeId> nodes,
                                Index classes, double share, std::uint64_t seed);

}  // namespace scrl
