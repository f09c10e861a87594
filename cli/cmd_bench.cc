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

void print(const BenchResult& b) {
  const Spread& e = b.times.epoch_ms;
  const double median = e.median;
  std::printf("%s, %s, profile %s%s: %s ms per epoch (train step %s), %s, %d threads\n",
              bold(b.data).c_str(), b.method.c_str(), name_of(b.profile),
              b.precision == Precision::kFloat32 ? "" : cat(", ", name_of(b.precision)).c_str(),
              fixed(median, 2).c_str(), fixed(b.times.step_ms.median, 2).c_str(), b.simd.c_str(),
              b.threads);
  std::printf("  middle half of %d epochs %s to %s ms, fastest %s; peak memory %s MB\n", b.epochs,
              fixed(e.p25, 2).c_str(), fixed(e.p75, 2).c_str(), fixed(e.min, 2).c_str(),
              fixed(b.peak_mb, 0).c_str());
  std::printf("  machine: %s GFLOP/s, memory %s GB/s, gathers %s GB/s\n",
              fixed(b.ceilings.flops * 1e-9, 0).c_str(),
              fixed(b.ceilings.memory_bytes * 1e-9, 1).c_str(),
              fixed(b.ceilings.gather_bytes * 1e-9, 1).c_str());
  if (!b.bound_ms)
    std::printf("  no roofline bound: the method descends by itself, not op by op\n\n");
  else if (*b.bound_ms == 0)
    std::printf(
        "  roofline bound 0 ms: the measured epochs had nothing left to compute op by op\n\n");
  else
    std::printf("  roofline bound %s ms: the epoch takes %s times as long\n\n",
                fixed(*b.bound_ms, 2).c_str(), fixed(b.bound_ratio(), 2).c_str());
  std::vector<std::vector<std::string>> rows = {
      {"op", "calls", "ms", "share", "bound ms", "ratio", "GFLOP/s", "stream GB/s", "gather GB/s"}};
  double sum = 0;
  for (const OpTime& t : b.ops) {
    sum += t.ms;
    rows.push_back({t.op, fixed(t.calls, 1), fixed(t.ms, 3), fixed(100 * t.ms / median, 1) + " %",
                    fixed(t.bound_ms, 3), t.bound_ms > 0 ? fixed(t.ms / t.bound_ms, 2) : "-",
                    fixed(t.gflops, 1), fixed(t.stream_gb_s, 1), fixed(t.gather_gb_s, 1)});
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
    BenchResult result = run_bench({.data = data, .settings = settings, .epochs = epochs});
    result.load_ms = loading;
    if (!json && !common.quiet) print(result);
    all.push_back(to_json(result));
  }
  if (json) write_output("", Json::object({{"benchmarks", all}}).dump(2) + "\n");
  return 0;
}

}  // namespace scrl::cli
