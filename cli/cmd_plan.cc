// scrl plan DATA [-m METHOD] [--json]: memory and time of a training, before it starts.
#include <cstdio>

#include "base/error.h"
#include "command.h"
#include "data/data_name.h"
#include "plan/plan.h"
#include "scrl/dataset.h"
#include "terminal.h"

namespace scrl::cli {
namespace {

std::string estimate(double seconds) {
  char text[64];
  if (seconds < 120) {
    std::snprintf(text, sizeof text, "%.1f s", seconds);
  } else {
    std::snprintf(text, sizeof text, "%.0f min", seconds / 60);
  }
  return text;
}

void print(const TrainingPlan& p) {
  const double preparing = p.prepare_s.value_or(0);
  std::printf("%s, %s, %lld nodes\n", bold(p.data).c_str(), p.method.c_str(),
              static_cast<long long>(p.nodes));
  std::printf("  peak memory     %.0f MB (this machine has %.0f MB for it)\n", p.peak_mb,
              p.available_mb);
  std::printf("  time per epoch  %.*f ms\n", p.epoch_ms < 100 ? 1 : 0, p.epoch_ms);
  if (preparing > 0.05) std::printf("  preparing       %s\n", estimate(preparing).c_str());
  std::printf("  whole training  at most %s (%d epochs%s)\n",
              estimate(preparing + p.seeds * p.epochs * p.epoch_ms / 1e3).c_str(), p.epochs,
              p.seeds > 1 ? cat(", ", p.seeds, " seeds").c_str() : "");
  if (p.members.empty()) return;
  std::vector<std::vector<std::string>> rows = {{"member", "peak MB", "ms/epoch", "epochs"}};
  for (const MemberPlan& m : p.members)
    rows.push_back({m.name, fixed(m.peak_mb, 0), fixed(m.epoch_ms, 1), cat(m.epochs)});
  std::printf("\n%s", table(rows).c_str());
}

}  // namespace

int cmd_plan(const Args& args) {
  CommonOptions common;
  std::string set_text, knn_file;
  bool json = false;
  OptionSet set;
  set.add("set", set_text, any_text(), "KEY=VALUE, any setting of train; may be repeated");
  bind_knn_file(set, knn_file);
  bind_json(set, json);
  bind(set, common);
  std::vector<Setting> settings;
  const auto positional = parse_command(set, common, args, settings);
  constexpr const char* kUsage = "scrl plan DATA [-m METHOD] [--json]";
  if (printed_help(common, set,
                   "Estimates peak memory and time per epoch of a training with the same "
                   "settings.\nTakes every setting of train; nothing is written.",
                   kUsage))
    return 0;
  const RunConfig checked(without_profile(settings));
  expect_arguments(positional, 1, 1, kUsage);
  const TrainingPlan plan = plan_training(
      {.data = load_dataset(with_knn_file(positional[0], knn_file)), .settings = settings});
  if (json) {
    write_output("", to_json(plan).dump(2) + "\n");
  } else if (!common.quiet) {
    print(plan);
  }
  return 0;
}

}  // namespace scrl::cli
