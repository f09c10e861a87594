// scrl inspect DATA [-k K] [--knn union] [--json]: facts and warnings of a data set.
#include <algorithm>
#include <cstdio>

#include "base/error.h"
#include "command.h"
#include "data/data_name.h"
#include "data/knn_file.h"
#include "run/inspect.h"
#include "scrl/dataset.h"
#include "terminal.h"

namespace scrl::cli {
namespace {

std::vector<std::string> graph_row(const std::string& name, const GraphStats& g) {
  return {name,
          cat(g.edges),
          cat(g.isolated),
          fixed(g.mean_degree, 1),
          cat(g.max_degree),
          cat(g.components),
          g.labelled_edges > 0 ? fixed(g.homophily, 3) : "-"};
}

std::string features_named(const Inspection& d) {
  const bool own = std::ranges::any_of(d.knn_files, [](auto& f) { return f.k == kOwnGraph; });
  if (own && d.knn == FeatureGraph::kFile) return "features, own graph";
  return cat("features, k=", d.k, " ", name_of(d.knn));
}

void print(const Inspection& d) {
  std::printf(
      "%s: %s nodes, %s features (%s stored, %s per node%s), %zu classes, %s unlabelled\n\n",
      bold(d.dataset).c_str(), cat(d.nodes).c_str(), cat(d.features.columns).c_str(),
      cat(d.features.stored).c_str(), fixed(d.features.per_node, 1).c_str(),
      d.features.binary ? ", all 0/1" : "", d.classes.size(), cat(d.unlabelled).c_str());
  std::vector<std::vector<std::string>> graphs = {
      {"graph", "edges", "isolated", "mean degree", "max", "components", "homophily"},
      graph_row("topology", d.topology)};
  if (d.feature_graph) graphs.push_back(graph_row(features_named(d), *d.feature_graph));
  std::printf("%s\n", table(graphs).c_str());
  if (!d.classes.empty()) {
    std::vector<std::vector<std::string>> classes = {{"class", "nodes"}};
    for (const Inspection::ClassSize& c : d.classes) classes.push_back({c.name, cat(c.nodes)});
    std::printf("%s\n", table(classes).c_str());
  }
  if (!d.splits.empty()) {
    std::vector<std::vector<std::string>> splits = {{"labels per class", "train", "val", "test"}};
    for (const Inspection::SplitSize& s : d.splits)
      splits.push_back({cat(s.labels_per_class), cat(s.train), cat(s.val), cat(s.test)});
    std::printf("%s\n", table(splits).c_str());
  }
  if (d.warnings.empty()) return;
  std::printf("worth knowing:\n");
  for (const std::string& line : d.warnings) std::printf("  - %s\n", line.c_str());
}

}  // namespace

int cmd_inspect(const Args& args) {
  CommonOptions common;
  GraphOptions graph = RunConfig({}).graph;  // that of scrl
  std::string knn_file;
  bool json = false;
  OptionSet set;
  set.add("k", graph.k, between(1, 1000), "neighbours per node in the feature graph", 'k');
  set.add("knn", graph.knn, "kind of feature graph");
  bind_knn_file(set, knn_file);
  set.add("binarize", graph.binarize,
          "neighbours are found by stored values as 1; auto: if they are sparse and not negative");
  set.add("dup", graph.dup, "repeated edges add up, or count once");
  bind_json(set, json);
  bind(set, common);
  const auto positional = parse_command(set, common, args);
  constexpr const char* kUsage = "scrl inspect DATA [-k K] [--knn MODE] [--json]";
  if (printed_help(common, set,
                   "Prints sizes, degrees, classes, splits, homophily and warnings of a data set.",
                   kUsage))
    return 0;
  expect_arguments(positional, 1, 1, kUsage);
  const Dataset data = load_dataset(with_knn_file(positional[0], knn_file));
  prefer_own_graph(set, data);
  const Inspection facts = inspect(data, graph);
  if (json)
    write_output("", to_json(facts).dump(2) + "\n");
  else if (!common.quiet)
    print(facts);
  return 0;
}

}  // namespace scrl::cli
