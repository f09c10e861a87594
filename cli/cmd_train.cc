// scrl train DATA [-m METHOD] [-l LABELS] [-o RUN] [--set key=value] ...
#include <algorithm>
#include <cstdio>
#include <map>

#include "base/error.h"
#include "command.h"
#include "data/data_name.h"
#include "models/registry.h"
#include "run/train_run.h"
#include "terminal.h"

namespace scrl::cli {
namespace {

struct TrainCommand {
  CommonOptions common;
  std::string out, config, set, knn_file, mem_limit;
  bool fast = false, resume = false, force = false, no_output = false, json = false;
};

void bind(OptionSet& set, TrainCommand& c) {
  set.add("out", c.out, any_text(), "run folder; without it runs/DATA-METHOD", 'o');
  set.add("config", c.config, any_text(), "TOML file with settings (a run's config.toml will do)");
  set.add("set", c.set, any_text(), "KEY=VALUE, any setting below; may be repeated");
  set.add_flag("fast", c.fast, "train scrl alone: the same as --method scrl");
  set.add_flag("resume", c.resume, "go on with the run in the folder");
  set.add_flag("force", c.force, "replace the run in the folder");
  set.add_flag("no_output", c.no_output, "write no run folder");
  bind_knn_file(set, c.knn_file);
  bind_memory_limit(set, c.mem_limit);
  bind_json(set, c.json);
  bind(set, c.common);
}

constexpr const char* kUsage = "scrl train DATA [options]";

constexpr const char* kWhat =
    "Trains a model and writes a run folder with predictions, embeddings, metrics and the "
    "model.\n\n"
    "  scrl train demo                          the built-in graph\n"
    "  scrl train mygraph/ -o runs/first        your own files (docs/formats.md)\n"
    "  scrl train mygraph/ --fast               one model instead of several\n"
    "  scrl train acm -l 20 --seeds 5           a data set below $SCRL_DATA, five seeds\n"
    "  scrl train acm -m gcn --set hidden1=64   another method, another setting";

// Puts what a config file says below what the command line says; its `data` serves if none is
// named.
void add_config_file(const std::string& path, std::vector<Setting>& settings, std::string& data) {
  ConfigFile file = read_config_file(path);
  if (data.empty()) data = file.data;
  settings.insert(settings.begin(), file.settings.begin(), file.settings.end());
}

// --fast is a choice of the command line, so --config does not change it.
void add_fast(std::vector<Setting>& settings) {
  for (const Setting& s : settings)
    if (s.key == "method") fail(ErrorKind::kUsage, "--fast and --method exclude each other");
  settings.insert(settings.begin(), {"method", "scrl", "command line"});
}

// Of one seed what each member did, of several the mean weights.
void print_members(const TrainResult& r) {
  if (r.seeds.front().members.empty()) return;
  const bool several = r.seeds.size() > 1, chosen = r.val_nodes > 0;
  std::vector<std::vector<std::string>> rows = {{"member", several ? "mean weight" : "weight"}};
  if (!several && chosen) rows[0].push_back("validation");
  if (!several && r.tested()) rows[0].push_back("test");
  if (!several) rows[0].push_back("seconds");
  std::map<std::string, double> weights;
  std::vector<std::string> names;  // a time limit may leave members out of some seeds
  for (const SeedResult& s : r.seeds)
    for (const MemberScore& m : s.members) {
      if (!weights.contains(m.name)) names.push_back(m.name);
      weights[m.name] += m.weight;
    }
  for (const std::string& name : names)
    rows.push_back({name, fixed(weights[name] / static_cast<double>(r.seeds.size()), 3)});
  if (!several)
    for (std::size_t i = 0; i < names.size(); ++i) {
      const MemberScore& m = r.seeds.front().members[i];
      if (chosen) rows[i + 1].push_back(percent(m.val.accuracy, 0, false));
      if (r.tested()) rows[i + 1].push_back(percent(m.test.accuracy, 0, false));
      rows[i + 1].push_back(fixed(m.seconds, 1));
    }
  std::printf("\n%s\n", table(rows).c_str());
}

void print_summary(const TrainResult& r, const std::string& out) {
  const bool several = r.seeds.size() > 1;
  const auto score = [&](const MeanStd& s) {
    return r.tested() ? percent(s.mean, s.std, several) : std::string("no test nodes");
  };
  std::string what = r.dataset;
  if (r.labels_per_class > 0) what += cat(", ", r.labels_per_class, " labels per class");
  if (r.split == SplitSource::kRandom) what += ", random split";
  std::vector<std::vector<std::string>> rows = {
      {what, "accuracy", "macro-F1", "protocol", "best epoch", "ms/epoch"},
      {r.method, score(r.accuracy()), score(r.macro_f1()), name_of(r.protocol),
       cat(r.seeds.front().best_epoch), percent(r.epoch_ms(), 0, false)}};
  std::fputs(table(rows).c_str(), stdout);
  print_members(r);
  const bool chosen = method_info(r.method).labels;  // among epochs
  if (chosen && r.tested() && r.protocol != Protocol::kOracle)
    std::printf("  %s\n", dim(cat("oracle, ", r.method == kAuto ? "member and epoch" : "epoch",
                                  " chosen on the test nodes (a diagnostic, not a result): ",
                                  percent(r.oracle().accuracy, 0, false), " / ",
                                  percent(r.oracle().macro_f1, 0, false)))
                              .c_str());
  if (r.val_nodes > 0)
    std::printf("  validation accuracy %s\n",
                percent(r.val_accuracy().mean, r.val_accuracy().std, several).c_str());
  std::printf("  result hash %s\n", r.result_hash().c_str());
  if (!out.empty())
    std::printf(
        "  written to %s: predictions.csv embeddings.npy metrics.json model.scrl split.csv\n",
        out.c_str());
}

}  // namespace

int cmd_train(const Args& args) {
  TrainCommand c;
  OptionSet command;
  bind(command, c);
  std::vector<Setting> settings;
  const auto positional = parse_command(command, c.common, args, settings);
  std::string data = positional.empty() ? "" : positional[0];
  if (c.fast) add_fast(settings);
  if (!c.config.empty()) add_config_file(c.config, settings, data);
  if (c.common.help) {
    const RunConfig described(settings);
    printed_help(c.common, command, kWhat, kUsage, &described.options);
    return 0;
  }
  const RunConfig config(
      without_profile(settings));  // a wrong option is reported before data is read
  expect_arguments(positional, data.empty() ? 1 : 0, 1, kUsage);
  if (c.resume && c.force) fail(ErrorKind::kUsage, "--resume and --force exclude each other");
  if (c.resume && c.out.empty())
    fail(ErrorKind::kUsage, "--resume needs -o RUN, the run to go on with");
  const Index mem_limit = apply_memory_limit(c.mem_limit);
  data = with_knn_file(data, c.knn_file);
  Dataset dataset = load_dataset(data);
  if (c.out.empty() && !c.no_output) c.out = fresh_run_path(dataset.name, config.run.method);

  catch_signals();
  Progress progress(c.common.quiet);
  TrainEvents events;
  events.loaded = [&](const Dataset& d, const RunConfig& r) {
    progress.note(cat(d.name, ": ", d.nodes, " nodes, ", d.edges.size(), " edge rows, ",
                      d.features.cols, " features (", d.features.nnz(), " stored values), ",
                      d.num_classes(), " classes; ", r.run.method, ", protocol ",
                      name_of(r.train.protocol)));
  };
  events.epoch = [&](int seed, const std::string& name, const EpochStats& e, int epochs) {
    progress.epoch(config.run.seeds > 1 ? cat("seed ", seed, " ", name) : name, e, epochs);
  };
  events.note = [&](const std::string& line) { progress.note(line); };
  events.should_stop = [] { return caught_signal() != 0; };
  const TrainOutput output = run_training({.data = std::move(dataset),
                                           .data_reference = data_reference(data),
                                           .program = program_version(),
                                           .settings = settings,
                                           .out = c.no_output ? "" : c.out,
                                           .if_exists = c.resume  ? IfExists::kResume
                                                        : c.force ? IfExists::kOverwrite
                                                                  : IfExists::kRefuse,
                                           .mem_limit = mem_limit},
                                          events);
  progress.finish();
  if (c.json)
    write_output("", to_json(output.result).dump(2) + "\n");
  else if (!c.common.quiet)
    print_summary(output.result, c.no_output ? "" : c.out);
  if (!output.interrupted) return 0;
  progress.note(
      cat("interrupted: ",
          output.result.method == kAuto ? "the members trained so far were used"
                                        : "the best epoch so far was used",
          c.no_output ? "" : cat("; go on with: scrl train ... -o ", c.out, " --resume")));
  return 128 + caught_signal();
}

}  // namespace scrl::cli
