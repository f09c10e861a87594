// scrl reproduce [table2|...|fig-k|...|all-figures|all]... [-o FOLDER]: the tables and figures of
// the SCRL paper, trained here, beside what the paper prints.
#include <cstdio>

#include "base/error.h"
#include "command.h"
#include "comparison_view.h"
#include "experiments/compare_files.h"
#include "experiments/figures.h"
#include "experiments/paper_experiments.h"
#include "experiments/reproduce.h"

namespace scrl::cli {
namespace {

struct ReproduceCommand {
  CommonOptions common;
  std::string methods = "all", only, labels, out = "reproduce", set, mem_limit;
  int seeds = 0, bench_epochs = 10;
  bool any_build = false, json = false;
};

void bind(OptionSet& set, ReproduceCommand& c) {
  set.add("method", c.methods, any_text(), "only rows of these methods, as in scrl,gcn", 'm');
  set.add("only", c.only, any_text(), "only these data sets, as in acm,flickr");
  set.add("labels", c.labels, any_text(), "only these numbers of labels per class, as in 20,40",
          'l');
  set.add("seeds", c.seeds, between(0, 10000), "seeds of every training; 0: as in the paper");
  set.add("bench_epochs", c.bench_epochs, between(1, 100000),
          "epochs that are measured for fig-time", 'n');
  set.add("set", c.set, any_text(),
          "KEY=VALUE for all methods that know it, or METHOD.KEY=VALUE; may be repeated");
  set.add("out", c.out, any_text(), "folder of the tables and of what is trained already", 'o');
  bind_any_build(set, c.any_build);
  bind_memory_limit(set, c.mem_limit);
  bind_json(set, c.json);
  bind(set, c.common);
}

constexpr const char* kUsage = "scrl reproduce [TABLE...] [options]";

std::string what() {
  std::string out =
      "Trains what the tables and figures of the SCRL paper are made of and prints them: the "
      "paper's number,\n"
      "ours with the epoch chosen on the test nodes (oracle, a diagnostic), ours with the epoch\n"
      "chosen on validation nodes (val). What was trained before is not trained again, so a\n"
      "reproduction that was stopped goes on when the same command is given. TABLE is one of\n\n";
  for (const Experiment& e : experiments()) {
    std::string name = e.name;
    name.resize(14, ' ');
    out += cat("  ", name, e.title, "\n");
  }
  return out +
         "  all-figures   those that begin with fig-\n"
         "  all           every one of them, the default\n\n"
         "Figures are SVG files, and figures.html is a page of those asked for.\n"
         "Data sets are looked up by name below $SCRL_DATA. Takes every setting of train.";
}

void refuse_fixed_settings(const std::vector<Setting>& settings) {
  for (const Setting& s : settings)
    if (s.key == "protocol" || s.key == "profile")
      fail(ErrorKind::kUsage, s.key, ": the tables say it themselves; 'scrl compare' takes it");
}

void print(const Comparison& c) {
  for (const CompareTable& t : all_tables(c)) print_table(t, true);
  print_caption(c);
  std::string files;
  for (const std::string& name : table_files({c.plan.table})) files += " " + name;
  for (const std::string& name : figure_files(c.plan)) files += " " + name;
  std::printf("  written to %s:%s\n\n", c.folder.c_str(), files.c_str());
  std::fflush(stdout);
}

void print_json(const Reproduction& r) {
  Json out = {{"tables", Json::array()}, {"skipped", r.skipped}, {"folder", r.folder}};
  for (const Comparison& c : r.tables) out["tables"].push_back(comparison_json(c));
  write_output("", json_text(out));
}

}  // namespace

int cmd_reproduce(const Args& args) {
  ReproduceCommand c;
  OptionSet set;
  bind(set, c);
  std::vector<Setting> settings;
  const auto positional = parse_command(set, c.common, args, settings);
  if (printed_help(c.common, set, what(), kUsage)) return 0;
  refuse_fixed_settings(settings);
  ReproduceRequest request{.seeds = c.seeds,
                           .bench_epochs = c.bench_epochs,
                           .settings = settings,
                           .folder = c.out,
                           .program = program_version(),
                           .any_build = c.any_build};
  if (!positional.empty()) request.tables = positional;
  if (c.methods != "all") request.methods = method_names(c.methods);
  if (!c.only.empty()) request.only = list_of("--only", c.only);
  if (!c.labels.empty()) request.labels = label_rates(c.labels);
  request.mem_limit = apply_memory_limit(c.mem_limit);

  catch_signals();
  Progress progress(c.common.quiet);
  const Reproduction result =
      reproduce(request, events_for(progress), [&](const Comparison& table) {
        progress.finish();
        if (!c.json && !c.common.quiet) print(table);
      });
  progress.finish();
  if (c.json) print_json(result);
  if (result.interrupted) {
    progress.note(cat("interrupted: the same command goes on from here; what is trained is in ",
                      result.folder));
    return 128 + caught_signal();
  }
  for (const Comparison& table : result.tables)
    if (const int code = exit_code(table, c.common.quiet); code != 0) return code;
  return 0;
}

}  // namespace scrl::cli
