// The public interface of this folder (include/scrl/trust.h).
#include <algorithm>

#include "data/dataset.h"
#include "run/trained_model.h"
#include "scrl/trust.h"
#include "trust/explain.h"
#include "trust/model_sets.h"
#include "trust/query_request.h"
#include "trust/suspects_request.h"

namespace scrl {
namespace {

LoadedModel loaded(const TrainedModel& model, const Dataset& lent) {
  LoadedModel out;
  out.data = with_own_arrays(lent);
  validate(out.data);
  static_cast<RestoredModel&>(out) = restore_model(model.state().file, out.data);
  return out;
}

std::vector<Query> queries(const QueryAnswer& answer) {
  std::vector<Query> out;
  for (std::size_t k = 0; k < answer.nodes.size(); ++k) {
    const Queried& q = answer.nodes[k];
    out.push_back({q.node, q.gain, q.doubt, q.represents, answer.reasons[k]});
  }
  return out;
}

}  // namespace

ClassSets predict_sets(const TrainedModel& model, const Dataset& data, double coverage,
                       bool nonempty) {
  const LoadedModel m = loaded(model, data);
  const ModelSets sets = sets_of_model(m, coverage, nonempty);
  ClassSets out{.guaranteed = sets.guaranteed, .statement = sets.statement};
  const auto M = static_cast<std::int32_t>(m.facts.classes.size());
  for (Index i = 0; i < data.nodes; ++i) {
    std::vector<std::int32_t> set;
    for (std::int32_t c = 0; c < M; ++c)
      if (sets.sets.member[static_cast<std::size_t>(i * M + c)]) set.push_back(c);
    const auto row = m.model->log_probs.value().row_span(i);
    std::stable_sort(set.begin(), set.end(),
                     [&](std::int32_t a, std::int32_t b) { return row[a] > row[b]; });
    out.sets.push_back(std::move(set));
  }
  return out;
}

std::vector<Query> query(const TrainedModel& model, const Dataset& data, Index count) {
  return queries(query_model(loaded(model, data), count));
}

std::vector<Query> query(const Dataset& lent, Index count) {
  const Dataset data = with_own_arrays(lent);
  validate(data);
  return queries(query_data(data, false, count, 0));
}

std::string explain(const TrainedModel& model, const Dataset& data, const std::string& id,
                    Index top) {
  LoadedModel m = loaded(model, data);
  return to_json(explain(m, node_of_id(m.data, id)), m, top).dump(2);
}

std::vector<SuspectLabel> suspects(const Dataset& lent, const Settings& settings) {
  SuspectsRequest request{.data = with_own_arrays(lent)};
  validate(request.data);
  for (const auto& [key, value] : settings) request.settings.push_back({key, value, "caller"});
  std::vector<SuspectLabel> out;
  for (const Suspect& s : find_suspects(request).all)
    out.push_back({s.node, s.label, s.suggested, s.p_topology, s.p_features, s.both, s.score});
  return out;
}

}  // namespace scrl
