// scrl methods: what can be trained, with the options of each.
#include <cstdio>

#include "app/model_file.h"
#include "command.h"
#include "models/registry.h"
#include "terminal.h"

namespace scrl::cli {

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
                     {"topology", method->needs_topology()},
                     {"feature_graph", method->needs_feature_graph()},
                     {"options", keys}});
    }
    write_output("", Json::object({{"methods", all}}).dump(2) + "\n");
    return 0;
  }
  if (positional.size() == 1) {
    OptionSet options;
    make_method(positional[0])->bind(options);
    std::printf("%s: %s\n\n%s", positional[0].c_str(), method_info(positional[0]).summary.c_str(),
                options.help_text().c_str());
    return 0;
  }
  std::vector<std::vector<std::string>> rows = {{"method", "what it is"}};
  for (const MethodInfo& info : method_list()) rows.push_back({info.name, info.summary});
  std::fputs(table(rows).c_str(), stdout);
  return 0;
}

}  // namespace scrl::cli
