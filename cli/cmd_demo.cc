// scrl demo: five methods on the built-in graph, to show why two views win.
#include <cstdio>

#include "base/error.h"
#include "command.h"
#include "report/report.h"
#include "run/train_run.h"
#include "terminal.h"

namespace scrl::cli {

int cmd_demo(const Args& args) {
  CommonOptions common;
  int seeds = 3;
  bool json = false;
  std::string out;
  OptionSet set;
  set.add("seeds", seeds, between(1, 100), "seeds per method");
  set.add("out", out, any_text(),
          "folder for the runs and a report on them; without it nothing is kept", 'o');
  bind_json(set, json);
  bind(set, common);
  const auto positional = parse_command(set, common, args);
  constexpr const char* kUsage = "scrl demo [--seeds N] [-o FOLDER]";
  if (printed_help(common, set, "Compares five methods on the built-in graph.", kUsage)) return 0;
  expect_arguments(positional, 0, 0, kUsage);
  struct Row {
    const char *method, *sees;
  };
  const Row rows[] = {{"mlp", "features"},
                      {"gcn", "topology, features along it"},
                      {"knn-gcn", "feature graph, features along it"},
                      {"scrl", "both graphs, and their consensus"},
                      {"auto", "several methods, combined"}};
  Json all = Json::array();
  std::vector<std::vector<std::string>> cells = {
      {"method", "what it sees", "accuracy", "macro-F1", "ms/epoch"}};
  Progress progress(common.quiet);
  for (const Row& row : rows) {
    TrainEvents events;
    events.epoch = [&](int, const std::string&, const EpochStats& e, int epochs) {
      progress.epoch(row.method, e, epochs);
    };
    std::vector<Setting> settings = {{"method", row.method, "demo"},
                                     {"seeds", std::to_string(seeds), "demo"}};
    if (std::string_view(row.method) != kAuto)  // whose members are several
      settings.push_back({"snapshots", "0,10,20,40,60,80,120,160,200", "demo"});
    const TrainOutput output = run_training({.data = load_dataset("demo"),
                                             .data_reference = "demo",
                                             .program = program_version(),
                                             .settings = settings,
                                             .out = out.empty() ? "" : cat(out, "/", row.method),
                                             .if_exists = IfExists::kOverwrite},
                                            events);
    const TrainResult& r = output.result;
    const bool several = seeds > 1;
    cells.push_back({row.method, row.sees, percent(r.accuracy().mean, r.accuracy().std, several),
                     percent(r.macro_f1().mean, r.macro_f1().std, several),
                     percent(r.epoch_ms(), 0, false)});
    all.push_back(to_json(r));
  }
  std::string report;
  if (!out.empty()) {
    progress.note("drawing the report");
    report = out + "/report.html";
    ReportRequest request;
    for (const Row& row : rows)
      request.runs.insert(request.runs.begin(), cat(out, "/", row.method));
    write_output(report, report_page(request));
  }
  progress.finish();
  if (json) {
    write_output("", Json::object({{"runs", all}}).dump(2) + "\n");
    return 0;
  }
  if (common.quiet) return 0;
  std::printf(
      "The built-in graph: 6 classes. Its edges confuse some pairs of classes, its features other\n"
      "pairs; only both together tell all six apart. %d seed%s, epoch chosen on validation nodes.\n"
      "\n%s\nWhat to run next:\n",
      seeds, seeds == 1 ? "" : "s", table(cells).c_str());
  const char* const next[][2] = {
      {"inspect demo", "what a data set looks like"},
      {"train demo -o runs/demo", "train the default, keep model, predictions, embeddings"},
      {"predict runs/demo", "id, class and probabilities of every node"},
      {"train mygraph/", "your own graph: docs/formats.md says which files"}};
  for (const auto& [command, what] : next)
    std::printf("  %s %-25s %s\n", program().c_str(), command, what);
  if (!report.empty())
    std::printf("\nThe same as a page, with 2-D embeddings; open it in a browser:\n  %s\n",
                report.c_str());
  return 0;
}

}  // namespace scrl::cli
