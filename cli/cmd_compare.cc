// scrl compare DATA... [-m a,b|all] [-l 20,40] [--protocol val,oracle] [-o FOLDER]: methods in a
// table.
#include <cstdio>

#include "base/error.h"
#include "command.h"
#include "comparison_view.h"
#include "experiments/compare_files.h"
#include "terminal.h"

namespace scrl::cli {
namespace {

// More full tables than this are left to the files; the overview says what matters.
constexpr std::size_t kTablesOnScreen = 4;

struct CompareCommand {
  CommonOptions common;
  std::string methods = "all", labels, protocols = "val";
  Profile profile = Profile::kDefault;
  std::string out, set, mem_limit;
  int seeds = 5;
  bool any_build = false, json = false;
};

void bind(OptionSet& set, CompareCommand& c) {
  set.add("method", c.methods, any_text(), "methods as in gcn,mlp; 'scrl methods' lists them", 'm');
  set.add("labels", c.labels, any_text(),
          "training nodes per class, as in 20,40,60; without it the first split of the data", 'l');
  set.add("protocol", c.protocols, any_text(),
          "which epoch counts, as in val,oracle: val, fixed, and oracle (chosen on the test nodes, "
          "diagnostic only; from the training of val)");
  set.add("seeds", c.seeds, between(1, 10000), "seeds of every cell: seed, seed+1, ...");
  set.add("profile", c.profile, "paper or tuned: such settings for the methods that have any");
  set.add("set", c.set, any_text(),
          "KEY=VALUE for all methods that know it, or METHOD.KEY=VALUE; may be repeated");
  set.add("out", c.out, any_text(),
          "folder of the tables and of what is trained already; without it compare/DATA", 'o');
  bind_any_build(set, c.any_build);
  bind_memory_limit(set, c.mem_limit);
  bind_json(set, c.json);
  bind(set, c.common);
}

constexpr const char* kUsage = "scrl compare DATA... [options]";
constexpr const char* kWhat =
    "Trains several methods with several seeds and writes tables: results.csv, results.md,\n"
    "results.tex and results.json. What was trained before with the same settings is not trained\n"
    "again, so a comparison that was stopped goes on when the same command is given.\n\n"
    "  scrl compare demo                              every method on the built-in graph\n"
    "  scrl compare acm citeseer -l 20,40,60          two data sets, three label rates\n"
    "  scrl compare acm -m scrl,gcn --set gcn.lr=0.02 a setting for one method\n\n"
    "Takes every setting of train.";

void print(const Comparison& c) {
  const auto full = full_tables(c), overview = overview_tables(c);
  if (full.size() <= kTablesOnScreen)
    for (const CompareTable& t : full) print_table(t, false);
  for (const CompareTable& t : overview) print_table(t, true);
  if (full.size() > kTablesOnScreen)
    for (const CompareTable& t : full)
      for (const std::string& note : t.notes)
        std::printf("  %s: %s\n", t.title.c_str(), note.c_str());
  if (!overview.empty() && c.plan.rows.size() > 1) std::printf("  %s\n", dim("* best").c_str());
  print_caption(c);
  std::printf("  written to %s: results.csv results.md results.tex results.json\n",
              c.folder.c_str());
}

}  // namespace

int cmd_compare(const Args& args) {
  CompareCommand c;
  OptionSet set;
  bind(set, c);
  std::vector<Setting> settings;
  const auto positional = parse_command(set, c.common, args, settings);
  if (printed_help(c.common, set, kWhat, kUsage)) return 0;
  settings.insert(settings.begin(), {"seeds", cat(c.seeds), "compare"});
  CompareRequest request{.rows = method_rows(method_names(c.methods), c.profile),
                         .labels = label_rates(c.labels),
                         .protocols = protocols_named(c.protocols),
                         .settings = settings,
                         .folder = c.out,
                         .program = program_version(),
                         .any_build = c.any_build};
  for (const std::string& given : positional) request.data.push_back({given});
  check_request(request);
  expect_arguments(positional, 1, 1000, kUsage);
  request.mem_limit = apply_memory_limit(c.mem_limit);

  catch_signals();
  Progress progress(c.common.quiet);
  const Comparison result = run_comparison(request, events_for(progress));
  progress.finish();
  if (c.json)
    write_output("", json_text(comparison_json(result)));
  else if (!c.common.quiet)
    print(result);
  if (result.interrupted) {
    progress.note(cat("interrupted: the same command goes on from here; what is trained is in ",
                      result.folder));
    return 128 + caught_signal();
  }
  return exit_code(result, c.common.quiet);
}

}  // namespace scrl::cli
