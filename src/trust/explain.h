// trust/explain.h: why a model predicts a class for one node.
//
//   effect of a thing = probability of the predicted class with everything - without that thing
// for every edge of the node, every link in a feature graph, every feature, and for all of a kind
// at once. Effects are exact (trust/removal.h), not sampled, so the answer is the same every time.
// The log-odds of the predicted class against the runner-up are a sum over the members of auto;
// each member's share of it is its part.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "config/json.h"
#include "run/model_file.h"

namespace scrl {

enum class Thing { kEdge, kSimilar, kFeature };
template <>
inline constexpr auto kNames<Thing> = std::array{"edge", "similar", "feature"};

struct Effect {
  Thing thing = Thing::kEdge;
  NodeId other = 0;        // the other end, or the column
  double effect = 0;       // on the probability of the predicted class
  std::int32_t label = 0;  // predicted without it
};

struct MemberPart {
  std::string name;
  double weight = 0, log_odds = 0;  // log_odds: its part of the sum
  std::int32_t label = 0;           // what it predicts alone
  double probability = 0;           // of the class that all predict together
};

struct ViewPart {               // of a model with class prototypes
  std::string member, view;     // "topology" or "features"
  std::vector<double> cosines;  // to the prototype of each class; the distance is 1 minus it
  std::int32_t nearest = 0;
};

struct Explanation {
  NodeId node = 0;
  std::int32_t label = 0, runner_up = 0;
  std::vector<double> probabilities;
  std::vector<MemberPart> members;  // one for a single method
  std::vector<ViewPart> views;      // none: no member has class prototypes
  std::vector<Effect> effects;      // of single things, largest change first
  // Of all at once; NaN: there are none.
  double all_edges = 0, all_similar = 0, all_features = 0;
};

Explanation explain(LoadedModel& model, NodeId node);

// The node with this id. Throws Error(kUsage) when there is none.
NodeId node_of_id(const Dataset& data, const std::string& id);

// `top`: effects of each kind to list; 0: all.
Json to_json(const Explanation& e, const LoadedModel& model, Index top);

}  // namespace scrl
