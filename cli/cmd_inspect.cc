// scrl inspect DATA [-k K] [--knn union] [--json]: facts and warnings of a data set.
#include <cstdio>

#include "base/error.h"
#include "command.h"
#include "run/inspect.h"
#include "scrl/dataset.h"
#include "terminal.h"

namespace scrl::cli {
namespace {

std::string fixed(const Json& number, int digits) {
  return number.is_null() ? "-" : cli::fixed(number.get<double>(), digits);
}

std::string count(const Json& number) { return cat(number.get<long long>()); }

void print(const Json& j) {
  std::printf(
      "%s: %s nodes, %s features (%s stored, %s per node%s), %zu classes, %s unlabelled\n\n",
      bold(j["dataset"].get<std::string>()).c_str(), count(j["nodes"]).c_str(),
      count(j["features"]["columns"]).c_str(), count(j["features"]["stored"]).c_str(),
      fixed(j["features"]["per_node"], 1).c_str(),
      j["features"]["binary"].get<bool>() ? ", all 0/1" : "", j["classes"].size(),
      count(j["unlabelled"]).c_str());
  std::vector<std::vector<std::string>> graphs = {
      {"graph", "edges", "isolated", "mean degree", "max", "components", "homophily"}};
  for (const char* key : {"topology", "feature_graph"}) {
    if (!j.contains(key)) continue;
    const Json& g = j[key];
    graphs.push_back({key == std::string("topology") ? "topology"
                                                     : cat("features, k=", g["k"].get<int>(), " ",
                                                           g["knn"].get<std::string>()),
                      count(g["edges"]), count(g["isolated"]), fixed(g["mean_degree"], 1),
                      count(g["max_degree"]), count(g["components"]), fixed(g["homophily"], 3)});
  }
  std::printf("%s\n", table(graphs).c_str());
  if (!j["classes"].empty()) {
    std::vector<std::vector<std::string>> classes = {{"class", "nodes"}};
    for (const Json& c : j["classes"])
      classes.push_back({c["name"].get<std::string>(), count(c["nodes"])});
    std::printf("%s\n", table(classes).c_str());
  }
  if (!j["splits"].empty()) {
    std::vector<std::vector<std::string>> splits = {{"labels per class", "train", "val", "test"}};
    for (const Json& s : j["splits"])
      splits.push_back(
          {count(s["labels_per_class"]), count(s["train"]), count(s["val"]), count(s["test"])});
    std::printf("%s\n", table(splits).c_str());
  }
  if (j["warnings"].empty()) return;
  std::printf("worth knowing:\n");
  for (const Json& line : j["warnings"]) std::printf("  - %s\n", line.get<std::string>().c_str());
}

}  // namespace

int cmd_inspect(const Args& args) {
  CommonOptions common;
  GraphOptions graph = RunConfig({}).graph;  // that of scrl
  bool json = false;
  OptionSet set;
  set.add("k", graph.k, between(1, 1000), "neighbours per node in the feature graph", 'k');
  set.add("knn", graph.knn, "kind of feature graph");
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
  const Json facts = inspect(load_dataset(positional[0]), graph);
  if (json)
    write_output("", facts.dump(2) + "\n");
  else if (!common.quiet)
    print(facts);
  return 0;
}

}  // namespace scrl::cli
