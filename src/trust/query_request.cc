#include "trust/query_request.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "run/outputs.h"
#include "train/split.h"
#include "trust/node_space.h"

namespace scrl {
namespace {

std::string reason(const Queried& q, bool with_model) {
  std::string out = cat("resembles ", q.represents, q.represents == 1 ? " node" : " nodes",
                        " more than any labelled or earlier node does");
  if (with_model)
    out += cat("; the model is surer of ", std::lround(100 * q.doubt), " % of the nodes");
  return out;
}

// `known`: by node; `learned_from`: of those, the nodes whose surroundings need no other.
QueryAnswer answer(const Dataset& data, const std::vector<bool>& known,
                   const std::vector<NodeId>& learned_from, std::span<const float> weights,
                   bool with_model, Index count, std::uint64_t seed) {
  QueryAnswer out{.labelled = std::count(known.begin(), known.end(), true),
                  .with_model = with_model};
  out.candidates = data.nodes - out.labelled;
  if (out.candidates == 0) return out;
  std::vector<bool> candidate = known;
  candidate.flip();
  out.nodes = query_nodes(node_space(data, seed), candidate, learned_from, weights, count, seed);
  for (const Queried& q : out.nodes) out.reasons.push_back(reason(q, with_model));
  return out;
}

}  // namespace

QueryAnswer query_data(const Dataset& data, bool no_labels, Index count, std::uint64_t seed) {
  std::vector<bool> known(static_cast<std::size_t>(data.nodes));
  std::vector<NodeId> labelled;
  for (Index i = 0; i < data.nodes && !no_labels; ++i)
    if (data.labels[i] != kUnlabelled) {
      known[static_cast<std::size_t>(i)] = true;
      labelled.push_back(static_cast<NodeId>(i));
    }
  const std::vector<float> alike(static_cast<std::size_t>(data.nodes), 1.0f);
  QueryAnswer out = answer(data, known, labelled, alike, false, count, seed);
  if (out.candidates == 0)
    fail(ErrorKind::kUsage, data.source, ": every node has a label, so none is left to ask for; ",
         "--no-labels asks as if there were none, --oracle-labels replays the choice");
  return out;
}

QueryAnswer query_model(const LoadedModel& m, Index count) {
  const auto seed = static_cast<std::uint64_t>(m.facts.seed);
  std::vector<bool> known(static_cast<std::size_t>(m.data.nodes));
  std::vector<NodeId> learned_from;
  if (m.same_data) {
    const bool validates = m.config->train.protocol == Protocol::kVal;
    const Split split = choose_split(m.data, m.config->split, validates, seed);
    const std::vector<NodeId> conformal = conformal_nodes(m.data, m.config->split, seed);
    for (const auto* part : {&split.train, &split.val, &split.test, &conformal})
      for (const NodeId i : *part) known[static_cast<std::size_t>(i)] = true;
    learned_from = split.train;
  } else {
    for (Index i = 0; i < m.data.nodes; ++i)
      known[static_cast<std::size_t>(i)] = m.data.labels[i] != kUnlabelled;
  }
  QueryAnswer out = answer(m.data, known, learned_from, doubt_weights(m.model->log_probs.value()),
                           true, count, seed);
  if (out.candidates == 0)
    fail(ErrorKind::kUsage, m.data.source,
         ": every node trains, validates or tests, so none is left to ask for");
  return out;
}

std::string query_csv(const Dataset& data, const QueryAnswer& a) {
  std::string out = "id,gain,represents,doubt,reason\n";
  for (std::size_t k = 0; k < a.nodes.size(); ++k) {
    const Queried& q = a.nodes[k];
    out += csv_field(data.id(q.node)) + cat(",", q.gain, ",", q.represents, ",", q.doubt, ",") +
           csv_field(a.reasons[k]) + "\n";
  }
  return out;
}

}  // namespace scrl
