// scrl methods: what can be trained, with the options of each.
#include <cstdio>

#include "app/model_file.h"
#include "command.h"
#include "models/registry.h"
#include "terminal.h"

namespace scrl::cli {
namespace {

Json uses_json(const MethodInfo& info) {
  return {{"topology", (info.views & (kTopology | kEdges)) != 0},
          {"features", info.features},
          {"feature_graph", (info.views & kFeatureGraph) != 0},
          {"labels", info.labels}};
}

// "topology, features, labels"; what the embedding is learned from.
std::string uses_text(const MethodInfo& info) {
  std::string out;
  const auto add = [&](bool used, const char* what) {
    if (used) out += (out.empty() ? "" : ", ") + std::string(what);
  };
  add((info.views & (kTopology | kEdges)) != 0, "topology");
  add((info.views & kFeatureGraph) != 0, "feature graph");
  add(info.features, "features");
  add(info.labels, "labels");
  return out;
}

}  // namespace

int cmd_methods(const Args& args) {
  CommonOptions common;
  bool json = false;
  OptionSet set;
  bind_json(set, json);
  bind(set, common);
  const auto positional = parse_command(set, common, args);
  constexpr const char* kUsage = "scrl methods [NAME] [--json]";
  if (printed_help(common, set, "Lists the methods; with a name, its options.", kUsage)) return 0;
  expect_arguments(positional, 0, 1, kUsage);
  if (json) {
    Json all = Json::array();
    if (!positional.empty()) method_info(positional[0]);  // an unknown name is an error
    for (const MethodInfo& info : method_list()) {
      if (!positional.empty() && info.name != positional[0]) continue;
      const auto method = make_method(info.name);
      OptionSet options;
      method->bind(options);
      Json keys = Json::object();
      for (const auto& e : options.entries())
        keys[e.key] = {
            {"default", e.default_text}, {"range", e.range.describe()}, {"help", e.help}};
      all.push_back({{"name", info.name},
                     {"summary", info.summary},
                     {"uses", uses_json(info)},
                     {"new_nodes", info.new_nodes},
                     {"options", keys}});
    }
    write_output("", Json::object({{"methods", all}}).dump(2) + "\n");
    return 0;
  }
  if (positional.size() == 1) {
    OptionSet options;
    make_method(positional[0])->bind(options);
    const MethodInfo& info = method_info(positional[0]);
    std::printf("%s: %s\nlearns from: %s\n%s\n%s", info.name.c_str(), info.summary.c_str(),
                uses_text(info).c_str(),
                info.new_nodes ? "" : "knows only the nodes it was trained on\n",
                options.help_text().c_str());
    if (!info.profile.empty()) {
      std::printf("\nother settings it starts from:");
      for (const auto& [key, value] : info.profile)
        std::printf(" %s=%s", key.c_str(), value.c_str());
      std::printf("\n");
    }
    return 0;
  }
  std::vector<std::vector<std::string>> rows = {{"method", "learns from", "what it is"}};
  for (const MethodInfo& info : method_list())
    rows.push_back({info.name, uses_text(info), info.summary});
  std::fputs(table(rows).c_str(), stdout);
  return 0;
}

}  // namespace scrl::cli
