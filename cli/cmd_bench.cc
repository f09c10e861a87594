// scrl bench [DATA...] [-m METHOD] [--json]: how fast a method trains, op by op.
#include <cstdio>

#include "base/error.h"
#include "base/stopwatch.h"
#include "command.h"
#include "plan/bench.h"
#include "scrl/dataset.h"
#include "terminal.h"

namespace scrl::cli {
namespace {

void print(const Json& b) {
  const Json &e = b["epoch_ms"], &s = b["step_ms"], &p = b["machine_ceilings"];
  const double median = e["median"].get<double>();
  const auto precision = b["precision"].get<std::string>();
  std::printf("%s, %s, profile %s%s: %s ms per epoch (train step %s), %s, %d threads\n",
              bold(b["data"].get<std::string>()).c_str(), b["method"].get<std::string>().c_str(),
              b["profile"].get<std::string>().c_str(),
              precision == "float32" ? "" : (", " + precision).c_str(), fixed(median, 2).c_str(),
              fixed(s["median"].get<double>(), 2).c_str(), b["simd"].get<std::string>().c_str(),
              b["threads"].get<int>());
  std::printf("  middle half of %d epochs %s to %s ms, fastest %s; peak memory %s MB\n",
              b["epochs"].get<int>(), fixed(e["p25"].get<double>(), 2).c_str(),
              fixed(e["p75"].get<double>(), 2).c_str(), fixed(e["min"].get<double>(), 2).c_str(),
              fixed(b["peak_mb"].get<double>(), 0).c_str());
  std::printf("  machine: %s GFLOP/s, memory %s GB/s, gathers %s GB/s\n",
              fixed(p["gflops"].get<double>(), 0).c_str(),
              fixed(p["memory_gb_s"].get<double>(), 1).c_str(),
              fixed(p["gather_gb_s"].get<double>(), 1).c_str());
  if (b["bound_ms"].is_null())
    std::printf("  no roofline bound: the method descends by itself, not op by op\n\n");
  else
    std::printf("  roofline bound %s ms: the epoch takes %s times as long\n\n",
                fixed(b["bound_ms"].get<double>(), 2).c_str(),
                fixed(b["bound_ratio"].get<double>(), 2).c_str());
  std::vector<std::vector<std::string>> rows = {
      {"op", "calls", "ms", "share", "bound ms", "ratio", "GFLOP/s", "stream GB/s", "gather GB/s"}};
  double sum = 0;
  for (const Json& op : b["ops"]) {
    const double ms = op["ms"].get<double>(), bound = op["bound_ms"].get<double>();
    sum += ms;
    rows.push_back({op["op"].get<std::string>(), fixed(op["calls"].get<double>(), 1), fixed(ms, 3),
                    fixed(100 * ms / median, 1) + " %", fixed(bound, 3),
                    bound > 0 ? fixed(ms / bound, 2) : "-", fixed(op["gflops"].get<double>(), 1),
                    fixed(op["stream_gb_s"].get<double>(), 1),
                    fixed(op["gather_gb_s"].get<double>(), 1)});
  }
  rows.push_back({"scores and the rest", "", fixed(median - sum, 3),
                  fixed(100 * (median - sum) / median, 1) + " %", "", "", "", "", ""});
  std::printf("%s\n", table(rows).c_str());
}

}  // namespace

int cmd_bench(const Args& args) {
  CommonOptions common;
  std::string set_text;
  int epochs = 30;
  bool json = false;
  OptionSet set;
  set.add("bench_epochs", epochs, between(1, 100000), "epochs that are measured", 'n');
  set.add("set", set_text, any_text(), "KEY=VALUE, any setting of train; may be repeated");
  bind_json(set, json);
  bind(set, common);
  std::vector<Setting> settings;
  auto positional = parse_command(set, common, args, settings);
  constexpr const char* kUsage = "scrl bench [DATA...] [-m METHOD] [-n EPOCHS] [--json]";
  if (printed_help(common, set,
                   "Trains for a few epochs and prints the time per epoch, op by op, next to what\n"
                   "the machine could do at best. Takes every setting of train; nothing is "
                   "written.\nWithout DATA: the built-in graph.",
                   kUsage))
    return 0;
  settings.insert(settings.begin(), {"method", "scrl", "bench"});
  const RunConfig checked(without_profile(settings));
  if (positional.empty()) positional = {"demo"};
  Json all = Json::array();
  for (const std::string& name : positional) {
    const Stopwatch watch;
    const Dataset data = load_dataset(name);
    const double loading = watch.ms();
    Json result = run_bench({.data = data, .settings = settings, .epochs = epochs});
    result["load_ms"] = loading;
    if (!json && !common.quiet) print(result);
    all.push_back(std::move(result));
  }
  if (json) write_output("", Json::object({{"benchmarks", all}}).dump(2) + "\n");
  return 0;
}

}  // namespace scrl::cli
