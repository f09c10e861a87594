// scrl explain RUN ID: why a node is predicted to be of its class.
#include <cmath>
#include <cstdio>

#include "base/error.h"
#include "base/stopwatch.h"
#include "command.h"
#include "run/run_folder.h"
#include "terminal.h"
#include "trust/explain.h"

namespace scrl::cli {
namespace {

constexpr const char* kUsage = "scrl explain RUN ID [--top N] [--json]";

std::string signed_points(double effect) {
  return std::isnan(effect) ? "-" : (effect >= 0 ? "+" : "") + fixed(100 * effect, 2);
}

void print(const Explanation& e, const LoadedModel& m, int top) {
  const auto name = [&](std::int32_t c) { return m.facts.classes[static_cast<std::size_t>(c)]; };
  std::printf("%s: %s, probability %s; then %s, %s\n\n", bold(m.data.id(e.node)).c_str(),
              bold(name(e.label)).c_str(),
              fixed(e.probabilities[static_cast<std::size_t>(e.label)], 4).c_str(),
              name(e.runner_up).c_str(),
              fixed(e.probabilities[static_cast<std::size_t>(e.runner_up)], 4).c_str());
  if (e.members.size() > 1) {
    std::vector<std::vector<std::string>> rows = {
        {"member", "weight", "predicts", cat("p(", name(e.label), ")"), "part of the log-odds"}};
    for (const MemberPart& p : e.members)
      rows.push_back({p.name, fixed(p.weight, 3), name(p.label), fixed(p.probability, 4),
                      (p.log_odds >= 0 ? "+" : "") + fixed(p.log_odds, 3)});
    std::printf("%s\n", table(rows).c_str());
  }
  if (!e.views.empty()) {
    std::vector<std::vector<std::string>> rows = {{"member", "view", "nearest prototype",
                                                   "its distance",
                                                   cat("distance to ", name(e.label))}};
    for (const ViewPart& v : e.views)
      rows.push_back({v.member, v.view, name(v.nearest),
                      fixed(1 - v.cosines[static_cast<std::size_t>(v.nearest)], 3),
                      fixed(1 - v.cosines[static_cast<std::size_t>(e.label)], 3)});
    std::printf("%s\n", table(rows).c_str());
  }
  std::printf("Effect on the probability of %s, points: with everything minus without it\n",
              name(e.label).c_str());
  std::vector<std::vector<std::string>> rows = {
      {"without", "effect", "then predicted"},
      {"all edges", signed_points(e.all_edges), ""},
      {"all similar nodes", signed_points(e.all_similar), ""},
      {"all features", signed_points(e.all_features), ""}};
  for (const Thing thing : {Thing::kEdge, Thing::kSimilar, Thing::kFeature}) {
    int listed = 0;
    for (const Effect& x : e.effects) {
      if (x.thing != thing || (top > 0 && listed == top)) continue;
      ++listed;
      const std::string what = thing == Thing::kEdge      ? cat("edge to ", m.data.id(x.other))
                               : thing == Thing::kSimilar ? cat("similar node ", m.data.id(x.other))
                                                          : cat("feature column ", x.other);
      rows.push_back({what, signed_points(x.effect), x.label == e.label ? "" : name(x.label)});
    }
  }
  std::fputs(table(rows).c_str(), stdout);
}

}  // namespace

int cmd_explain(const Args& args) {
  CommonOptions common;
  int top = 5;
  bool json = false;
  OptionSet set;
  set.add("top", top, at_least(0), "edges, similar nodes and features to list, of each; 0: all");
  bind_json(set, json);
  bind(set, common);
  const auto positional = parse_command(set, common, args);
  if (printed_help(
          common, set,
          "Says why a node is predicted to be of its class: members, class prototypes, and "
          "how much the probability\nchanges when one edge, one link in a feature graph or "
          "one feature of the node is left out. Exact, without\ntraining. RUN is a run "
          "folder or a model.scrl, ID an id of predictions.csv.",
          kUsage))
    return 0;
  expect_arguments(positional, 2, 2, kUsage);
  const std::string path = model_path(positional[0]);
  LoadedModel m = load_model(path, load_dataset(data_of_model(path)));
  const Stopwatch watch;
  const Explanation e = explain(m, node_of_id(m.data, positional[1]));
  if (!common.quiet)
    std::fprintf(stderr, "%zu things left out, one at a time, in %s s\n", e.effects.size(),
                 fixed(watch.seconds(), 3).c_str());
  if (json)
    write_output("", to_json(e, m, top).dump(2) + "\n");
  else if (!common.quiet)
    print(e, m, top);
  return 0;
}

}  // namespace scrl::cli
