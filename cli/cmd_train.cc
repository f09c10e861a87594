// scrl train DATA [-m METHOD] [-l LABELS] [-o RUN] [--set key=value] ...
#include <algorithm>
#include <cstdio>

#include "base/error.h"
#include "command.h"
#include "models/registry.h"
#include "run/train_run.h"
#include "terminal.h"

namespace scrl::cli {
namespace {

struct TrainCommand {
  CommonOptions common;
  std::string out, config, set, mem_limit;
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
  bind_memory_limit(set, c.mem_limit);
  bind_json(set, c.json);
  bind(set, c.common);
}

constexpr const char* kUsage = "scrl train DATA [options]";

void print_help(const OptionSet& command, const std::vector<Setting>& settings) {
  std::printf(
      "Trains a model and writes a run folder with predictions, embeddings, metrics and the "
      "model.\n\n"
      "  scrl train demo                          the built-in graph\n"
      "  scrl train mygraph/ -o runs/first        your own files (docs/formats.md)\n"
      "  scrl train mygraph/ --fast               one model instead of several\n"
      "  scrl train acm -l 20 --seeds 5           a data set below $SCRL_DATA, five seeds\n"
      "  scrl train acm -m gcn --set hidden1=64   another method, another setting\n\n"
      "usage: %s\n\n%s\nsettings (also as --set KEY=VALUE or in --config):\n%s",
      kUsage, command.help_text().c_str(), RunConfig(settings).options.help_text().c_str());
}

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
void print_members(const Json& m) {
  const Json& seeds = m.at("per_seed");
  if (!seeds.at(0).contains("members")) return;
  const bool several = seeds.size() > 1, chosen = m.contains("val_accuracy");
  const bool tested = !m.at("accuracy").at("mean").is_null();
  std::vector<std::vector<std::string>> rows = {{"member", several ? "mean weight" : "weight"}};
  if (!several && chosen) rows[0].push_back("validation");
  if (!several && tested) rows[0].push_back("test");
  if (!several) rows[0].push_back("seconds");
  std::vector<std::string> names;  // a time limit may leave members out of some seeds
  for (const Json& s : seeds)
    for (const Json& member : s.at("members"))
      if (const auto name = member.at("name").get<std::string>();
          std::find(names.begin(), names.end(), name) == names.end())
        names.push_back(name);
  for (const std::string& name : names) {
    double weight = 0;
    for (const Json& s : seeds)
      for (const Json& member : s.at("members"))
        if (member.at("name") == name) weight += member.at("weight").get<double>();
    rows.push_back({name, fixed(weight / static_cast<double>(seeds.size()), 3)});
    if (several) continue;
    for (const Json& member : seeds[0].at("members")) {
      if (member.at("name") != name) continue;
      if (chosen) rows.back().push_back(percent(member.at("val").at("accuracy"), 0, false));
      if (tested) rows.back().push_back(percent(member.at("test").at("accuracy"), 0, false));
      rows.back().push_back(fixed(member.at("seconds"), 1));
    }
  }
  std::printf("\n%s\n", table(rows).c_str());
}

void print_summary(const Json& m, const std::string& out) {
  const bool several = m.at("seeds").get<int>() > 1;
  const auto number = [&](const char* key) {
    const Json& v = m.at(key);
    return v.at("mean").is_null() ? std::string("no test nodes")
                                  : percent(v.at("mean"), v.at("std"), several);
  };
  std::string what = m.at("dataset").get<std::string>();
  if (const int rate = m.at("labels_per_class").get<int>())
    what += cat(", ", rate, " labels per class");
  if (m.at("split") == "random") what += ", random split";
  std::vector<std::vector<std::string>> rows = {
      {what, "accuracy", "macro-F1", "protocol", "best epoch", "ms/epoch"},
      {m.at("method").get<std::string>(), number("accuracy"), number("macro_f1"),
       m.at("protocol").get<std::string>(), cat(m.at("best_epoch").get<int>()),
       percent(m.at("epoch_ms"), 0, false)}};
  std::fputs(table(rows).c_str(), stdout);
  print_members(m);
  const Json& oracle = m.at("oracle");
  const bool chosen = method_info(m.at("method").get<std::string>()).labels;  // among epochs
  if (chosen && !oracle.at("accuracy").is_null() && m.at("protocol") != "oracle")
    std::printf("  %s\n",
                dim(cat("oracle, ", m.at("method") == kAuto ? "member and epoch" : "epoch",
                        " chosen on the test nodes (a diagnostic, not a result): ",
                        percent(oracle.at("accuracy"), 0, false), " / ",
                        percent(oracle.at("macro_f1"), 0, false)))
                    .c_str());
  if (m.contains("val_accuracy"))
    std::printf("  validation accuracy %s\n",
                percent(m["val_accuracy"]["mean"], m["val_accuracy"]["std"], several).c_str());
  std::printf("  result hash %s\n", m.at("result_hash").get<std::string>().c_str());
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
    print_help(command, settings);
    return 0;
  }
  const RunConfig config(
      without_profile(settings));  // a wrong option is reported before data is read
  expect_arguments(positional, data.empty() ? 1 : 0, 1, kUsage);
  if (c.resume && c.force) fail(ErrorKind::kUsage, "--resume and --force exclude each other");
  if (c.resume && c.out.empty())
    fail(ErrorKind::kUsage, "--resume needs -o RUN, the run to go on with");
  const Index mem_limit = apply_memory_limit(c.mem_limit);
  Dataset dataset = load_dataset(data);
  if (c.out.empty() && !c.no_output) c.out = fresh_run_path(dataset.name, config.run.method);

  catch_signals();
  Progress progress(c.common.quiet);
  TrainEvents events;
  events.loaded = [&](const Dataset& d, const RunConfig& r) {
    progress.note(cat(d.name, ": ", d.nodes, " nodes, ", d.edges.size(), " edge rows, ",
                      d.features.cols, " features (", d.features.nnz(), " stored values), ",
                      d.num_classes(), " classes; ", r.run.method, ", protocol ",
                      r.train.protocol));
  };
  events.epoch = [&](int seed, const std::string& name, const EpochStats& e, int epochs) {
    progress.epoch(config.run.seeds > 1 ? cat("seed ", seed, " ", name) : name, e, epochs);
  };
  events.note = [&](const std::string& line) { progress.note(line); };
  events.should_stop = [] { return caught_signal() != 0; };
  const TrainReport report = run_training({.data = std::move(dataset),
                                           .data_reference = data_reference(data),
                                           .settings = settings,
                                           .out = c.no_output ? "" : c.out,
                                           .if_exists = c.resume  ? IfExists::kResume
                                                        : c.force ? IfExists::kOverwrite
                                                                  : IfExists::kRefuse,
                                           .mem_limit = mem_limit},
                                          events);
  progress.finish();
  const bool any = !report.json.is_null();  // else it ended before all members of auto were trained
  if (c.json && any)
    write_output("", report.json.dump(2) + "\n");
  else if (!c.common.quiet && any)
    print_summary(report.json, c.no_output ? "" : c.out);
  if (!report.interrupted) return 0;
  progress.note(
      cat("interrupted: ",
          any ? "the best epoch so far was used"
              : "not all members are trained, so there is no result yet",
          c.no_output ? "" : cat("; go on with: scrl train ... -o ", c.out, " --resume")));
  return 128 + caught_signal();
}

}  // namespace scrl::cli
