// scrl methods: what can be trained, with the options of each.
#include <cstdio>

#include "base/error.h"
#include "command.h"
#include "config/json.h"
#include "config/portfolio.h"
#include "models/registry.h"
#include "run/model_file.h"
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

// The options of one method, with what they are bound to.
struct Bound {
  explicit Bound(const std::string& name) {
    if (name == kAuto) {
      bind(options, portfolio);
    } else {
      method = make_method(name);
      method->bind(options);
    }
  }
  std::unique_ptr<Method> method;
  PortfolioOptions portfolio;
  OptionSet options;
};

// The default first.
std::vector<MethodInfo> listed() {
  std::vector<MethodInfo> out = {method_info(kAuto)};
  out.insert(out.end(), method_list().begin(), method_list().end());
  return out;
}

Json json_of(const MethodInfo& info) {
  const Bound bound(info.name);
  Json keys = Json::object();
  for (const auto& e : bound.options.entries())
    keys[e.key] = {{"default", e.default_text}, {"range", e.range.describe()}, {"help", e.help}};
  return {{"name", info.name},
          {"summary", info.summary},
          {"uses", uses_json(info)},
          {"new_nodes", info.new_nodes},
          {"options", keys}};
}

void print(const MethodInfo& info) {
  std::printf("%s: %s\nlearns from: %s\n%s\n%s", info.name.c_str(), info.summary.c_str(),
              uses_text(info).c_str(),
              info.new_nodes ? "" : "knows only the nodes it was trained on\n",
              Bound(info.name).options.help_text().c_str());
  if (!info.profile.empty()) {
    std::printf("\nother settings it starts from:");
    for (const auto& [key, value] : info.profile) std::printf(" %s=%s", key.c_str(), value.c_str());
    std::printf("\n");
  }
  if (info.name != kAuto) return;
  std::vector<std::vector<std::string>> rows = {{"member", "method", "what it is", "settings"}};
  for (const PortfolioMember& m : portfolio()) {
    std::string settings;
    for (const auto& [key, value] : m.settings) settings += cat(key, "=", value, " ");
    rows.push_back({m.name, m.method, m.summary, settings});
  }
  std::printf("\n%s", table(rows).c_str());
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
  if (!positional.empty()) method_info(positional[0]);  // an unknown name is an error
  if (json) {
    Json all = Json::array();
    for (const MethodInfo& info : listed())
      if (positional.empty() || info.name == positional[0]) all.push_back(json_of(info));
    write_output("", Json::object({{"methods", all}}).dump(2) + "\n");
    return 0;
  }
  if (positional.size() == 1) {
    print(method_info(positional[0]));
    return 0;
  }
  std::vector<std::vector<std::string>> rows = {{"method", "learns from", "what it is"}};
  for (const MethodInfo& info : listed())
    rows.push_back({info.name, uses_text(info), info.summary});
  std::fputs(table(rows).c_str(), stdout);
  return 0;
}

}  // namespace scrl::cli
