#include "trust/explain.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "trust/removal.h"

namespace scrl {
namespace {

std::int32_t largest(std::span<const double> values, std::int32_t but = -1) {
  std::int32_t best = but == 0 ? 1 : 0;
  for (std::int32_t c = 0; c < static_cast<std::int32_t>(values.size()); ++c)
    if (c != but && values[static_cast<std::size_t>(c)] > values[static_cast<std::size_t>(best)])
      best = c;
  return best;
}

std::vector<MemberPart> member_parts(const Remover& remover, const LoadedModel& loaded, NodeId node,
                                     std::int32_t label, std::int32_t runner_up) {
  std::vector<MemberPart> out;
  for (const RemovalMember& m : remover.members()) {
    const auto row = m.model->log_probs.value().row_span(node);
    const std::vector<double> log_probs(row.begin(), row.end());
    const double own = log_probs[static_cast<std::size_t>(label)];
    const bool pool = !loaded.config->method;
    out.push_back({.name = m.name,
                   .weight = m.weight,
                   .log_odds = (own - log_probs[static_cast<std::size_t>(runner_up)]) *
                               (pool ? m.weight / loaded.model->temperature : 1),
                   .label = largest(log_probs),
                   .probability = std::exp(own)});
  }
  return out;
}

// Of models whose prototypes are the classes.
std::vector<ViewPart> view_parts(const Remover& remover, NodeId node, Index classes) {
  std::vector<ViewPart> out;
  for (const RemovalMember& m : remover.members()) {
    if (m.model->view_scores.size() != 2 || m.config->run.method == "scrl-paper" ||
        m.model->view_scores[0].cols() != classes)
      continue;
    for (std::size_t v = 0; v < 2; ++v) {
      const auto row = m.model->view_scores[v].value().row_span(node);
      ViewPart part{.member = m.name,
                    .view = v == 0 ? "topology" : "features",
                    .cosines = {row.begin(), row.end()}};
      part.nearest = largest(part.cosines);
      out.push_back(std::move(part));
    }
  }
  return out;
}

}  // namespace

NodeId node_of_id(const Dataset& data, const std::string& id) {
  for (Index i = 0; i < data.nodes; ++i)
    if (data.id(i) == id) return static_cast<NodeId>(i);
  fail(ErrorKind::kUsage, data.source, ": there is no node '", id, "'; the ids are those of ",
       "predictions.csv");
}

Explanation explain(LoadedModel& loaded, NodeId node) {
  Remover remover(loaded);
  const auto row = loaded.model->log_probs.value().row_span(node);
  Explanation out{.node = node};
  for (const float lp : row) out.probabilities.push_back(std::exp(static_cast<double>(lp)));
  out.label = largest(out.probabilities);
  out.runner_up = out.probabilities.size() > 1 ? largest(out.probabilities, out.label) : out.label;
  out.members = member_parts(remover, loaded, node, out.label, out.runner_up);
  out.views = view_parts(remover, node, static_cast<Index>(loaded.facts.classes.size()));

  const double before = out.probabilities[static_cast<std::size_t>(out.label)];
  const auto without = [&](const Removal& removal, std::int32_t* label) {
    const std::vector<double> p = remover.probabilities(node, removal);
    if (label) *label = largest(p);
    return before - p[static_cast<std::size_t>(out.label)];
  };
  const std::vector<NodeId> edges = remover.neighbours(node), similar = remover.similar(node);
  const auto columns = loaded.data.features.row_cols(node);
  const std::vector<NodeId> features(columns.begin(), columns.end());
  const auto each = [&](Thing thing, const std::vector<NodeId>& others, auto Removal::*which) {
    for (const NodeId other : others) {
      Effect e{.thing = thing, .other = other};
      Removal removal;
      removal.*which = {other};
      e.effect = without(removal, &e.label);
      out.effects.push_back(e);
    }
    Removal all;
    all.*which = others;
    return others.empty() ? std::numeric_limits<double>::quiet_NaN() : without(all, nullptr);
  };
  out.all_edges = each(Thing::kEdge, edges, &Removal::edges);
  out.all_similar = each(Thing::kSimilar, similar, &Removal::similar);
  out.all_features = each(Thing::kFeature, features, &Removal::features);
  std::stable_sort(out.effects.begin(), out.effects.end(), [](const Effect& a, const Effect& b) {
    return std::fabs(a.effect) > std::fabs(b.effect);
  });
  return out;
}

Json to_json(const Explanation& e, const LoadedModel& m, Index top) {
  const auto name = [&](std::int32_t c) { return m.facts.classes[static_cast<std::size_t>(c)]; };
  const auto number = [](double x) { return std::isnan(x) ? Json() : Json(x); };
  Json j = {{"id", m.data.id(e.node)},
            {"label", name(e.label)},
            {"runner_up", name(e.runner_up)},
            {"probabilities", Json::object()},
            {"members", Json::array()},
            {"prototypes", Json::array()},
            {"effects",
             {{"edge", Json::array()}, {"similar", Json::array()}, {"feature", Json::array()}}},
            {"all_edges", number(e.all_edges)},
            {"all_similar", number(e.all_similar)},
            {"all_features", number(e.all_features)}};
  for (std::size_t c = 0; c < e.probabilities.size(); ++c)
    j["probabilities"][m.facts.classes[c]] = e.probabilities[c];
  for (const MemberPart& p : e.members)
    j["members"].push_back({{"name", p.name},
                            {"weight", p.weight},
                            {"label", name(p.label)},
                            {"probability", p.probability},
                            {"log_odds", p.log_odds}});
  for (const ViewPart& v : e.views) {
    Json distances = Json::object();
    for (std::size_t c = 0; c < v.cosines.size(); ++c)
      distances[m.facts.classes[c]] = 1 - v.cosines[c];
    j["prototypes"].push_back({{"member", v.member},
                               {"view", v.view},
                               {"nearest", name(v.nearest)},
                               {"distances", distances}});
  }
  for (const Effect& x : e.effects) {
    Json& list = j["effects"][name_of(x.thing)];
    if (top > 0 && static_cast<Index>(list.size()) >= top) continue;
    list.push_back({{x.thing == Thing::kFeature ? "column" : "id",
                     x.thing == Thing::kFeature ? Json(x.other) : Json(m.data.id(x.other))},
                    {"effect", x.effect},
                    {"label_without", name(x.label)}});
  }
  return j;
}

}  // namespace scrl
