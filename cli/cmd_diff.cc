// scrl diff RUN RUN: what differs between two runs. Ends with 0 or 1, as diff(1) does.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/error.h"
#include "command.h"
#include "io/utf8.h"
#include "run/run_diff.h"
#include "terminal.h"

namespace scrl::cli {
namespace {

std::string cell(const std::string& value, const std::string& origin) {
  if (value.empty()) return "-";
  std::string text = origin.empty() ? value : cat(value, " (", origin, ")");
  std::replace_if(text.begin(), text.end(), is_control, '?');
  return text;
}

// A table with a line per difference; nothing if there is none.
void print(const char* heading, const std::vector<Difference>& list) {
  if (list.empty()) return;
  std::vector<std::vector<std::string>> rows = {{heading, "first run", "second run"}};
  for (const Difference& d : list)
    rows.push_back({cell(d.what, ""), cell(d.a, d.origin_a), cell(d.b, d.origin_b)});
  std::printf("%s\n", table(rows).c_str());
}

std::string figure(double value) { return std::isnan(value) ? "-" : cat(value); }

void print_partings(const RunDiff& diff) {
  if (diff.partings.empty()) return;
  std::vector<std::vector<std::string>> rows = {
      {"numbers part in", "epoch", "figure", "first run", "second run"}};
  for (const Parting& p : diff.partings)
    rows.push_back({cat("seed ", p.seed, p.member.empty() ? "" : ", ", p.member,
                        p.fold < 0 ? std::string() : cat(", fold ", p.fold)),
                    cat(p.epoch), p.figure == "epochs" ? "last epoch" : p.figure, figure(p.a),
                    figure(p.b)});
  std::printf("%s\n", table(rows).c_str());
}

void print(const RunDiff& diff) {
  print("data", diff.data);
  print("setting", diff.settings);
  print("part of node", diff.split);
  if (diff.split_nodes > static_cast<Index>(diff.split.size()))
    std::printf(
        "... and %lld more nodes in another part\n\n",
        static_cast<long long>(diff.split_nodes) - static_cast<long long>(diff.split.size()));
  print_partings(diff);
  print("result", diff.result);
  print("circumstances", diff.circumstances);
  if (diff.equal())
    std::printf("equal: data, settings, split, %lld epochs and result\n",
                static_cast<long long>(diff.compared_epochs));
}

}  // namespace

int cmd_diff(const Args& args) {
  CommonOptions common;
  bool json = false;
  OptionSet set;
  bind_json(set, json);
  bind(set, common);
  const auto positional = parse_command(set, common, args);
  constexpr const char* kUsage = "scrl diff RUN RUN [--json]";
  if (printed_help(
          common, set,
          "Names what differs between two runs: the data, settings with who set them, the split, "
          "the first epoch at\nwhich a figure differs, and the result. Ends with 0 if all of that "
          "is equal and with 1 if not. Program, CPU\nand threads are listed and do not count.",
          kUsage))
    return 0;
  expect_arguments(positional, 2, 2, kUsage);
  const RunDiff diff = diff_runs(positional[0], positional[1]);
  if (json)
    write_output("", to_json(diff).dump(2) + "\n");
  else if (!common.quiet)
    print(diff);
  return diff.equal() ? 0 : 1;
}

}  // namespace scrl::cli
