// scrl tune DATA [-m METHOD] [-l LABELS] [--budget 50|10m] [--space ...]: better settings.
#include <algorithm>
#include <cstdio>

#include "base/error.h"
#include "command.h"
#include "terminal.h"
#include "tune/tune_report.h"

namespace scrl::cli {
namespace {

constexpr std::size_t kTrialsOnScreen = 10, kEffectsOnScreen = 6;

struct TuneCommand {
  CommonOptions common;
  std::string method = "scrl", budget = "30", space, set, out, mem_limit;
  int labels = 0, seeds = 8;
  bool json = false;
};

void bind(OptionSet& set, TuneCommand& c) {
  set.add("method", c.method, any_text(), "what to train; 'scrl methods' lists them", 'm');
  set.add("labels", c.labels, at_least(0),
          "training nodes per class; 0: the first split of the data", 'l');
  set.add("budget", c.budget, any_text(),
          "number of configurations as in 50, or time as in 90s, 10m, 2h");
  set.add("space", c.space, any_text(),
          "KEY=A,B,C or KEY=LOW..HIGH: in place of what is searched by default, or besides; or a "
          "file of such lines instead of all of it; may be repeated");
  set.add("seeds", c.seeds, between(1, 10000), "seeds of the last candidates: seed, seed+1, ...");
  set.add("set", c.set, any_text(), "KEY=VALUE for all configurations; may be repeated");
  set.add("out", c.out, any_text(),
          "folder of the results and of what is trained already; without it tune/DATA-METHOD", 'o');
  bind_memory_limit(set, c.mem_limit);
  bind_json(set, c.json);
  bind(set, c.common);
}

constexpr const char* kUsage = "scrl tune DATA [options]";
constexpr const char* kWhat =
    "Searches for settings with a higher accuracy on the validation nodes. Many configurations\n"
    "train with one seed, the best third of them with two, and so on; the default configuration\n"
    "is always among them. The best so far is in best.toml at any time, for 'scrl train "
    "--config'.\n"
    "The same command goes on with a search that was stopped.\n\n"
    "  scrl tune demo                               30 configurations of scrl\n"
    "  scrl tune citeseer -l 20 --budget 10m        as many as ten minutes allow\n"
    "  scrl tune acm -m gcn --space lr=1e-3..1e-1   one setting in another range\n\n"
    "Takes every setting of train.";

std::string seeds_text(std::size_t seeds) { return cat(seeds, seeds == 1 ? " seed" : " seeds"); }

std::string score(const Trial& t) {
  const MeanStd m = t.accuracy(t.scores.size());
  return percent(m.mean, m.std, t.scores.size() > 1);
}

std::string trial_text(const Tuning& t, const Trial& trial) {
  return t.plan.trials > 0 ? cat("trial ", trial.number, "/", t.trials.size())
                           : cat("trial ", trial.number);
}

std::string name_of(const Trial& t) {
  return t.fixed ? cat(t.number, " (", t.kind, ")") : cat(t.number);
}

std::string done_text(const Tuning& t, const Trial& trial) {
  if (trial.failed()) return cat(trial_text(t, trial), ": failed: ", trial.failure);
  const Trial* const best = t.best();
  return cat(trial_text(t, trial), ": validation ", score(trial), ", ",
             seeds_text(trial.scores.size()),
             best == &trial ? ", the best so far"
                            : cat(" (best: trial ", best->number, ", ", score(*best), " with ",
                                  seeds_text(best->scores.size()), ")"));
}

void print_trials(const Tuning& t) {
  std::vector<std::vector<std::string>> rows = {
      {"trial", "validation", "seeds", "seconds", "settings that differ from the default"}};
  for (const Trial* trial : ranking(t.trials, t.plan.rungs)) {
    if (rows.size() > kTrialsOnScreen) break;
    const std::string changed = changed_settings(t, *trial);
    rows.push_back({name_of(*trial), score(*trial), cat(trial->scores.size()),
                    fixed(trial->seconds, 1), changed.empty() ? "none" : changed});
  }
  std::string title = t.data.name;
  if (t.rate > 0) title += cat(", ", t.rate, " labels per class");
  std::printf("%s\n%s\n",
              bold(cat(title, ": ", t.request.method, ", accuracy on validation nodes")).c_str(),
              table(rows).c_str());
}

void print_effects(const Tuning& t) {
  std::vector<std::vector<std::string>> rows = {{"setting", "best value", "", "worst value", ""}};
  for (const SettingEffect& e : setting_effects(t)) {
    if (rows.size() > kEffectsOnScreen) break;
    const auto mean = [](const SettingEffect::Part& p) {
      return cat(fixed(p.median, 2), " (", p.trials, ")");
    };
    rows.push_back({e.key, e.parts.front().value, mean(e.parts.front()), e.parts.back().value,
                    mean(e.parts.back())});
  }
  if (rows.size() == 1) return;
  std::printf("%s\n%s  %s\n\n", bold("What seems to matter").c_str(), table(rows).c_str(),
              dim("median validation accuracy of the trials with this value (how many), first "
                  "seed; the other settings vary as well")
                  .c_str());
}

void print_winner(const Tuning& t, const Trial& best) {
  const Trial& start = t.trials.front();
  std::printf("best: trial %s, validation %s with %s", name_of(best).c_str(), score(best).c_str(),
              seeds_text(best.scores.size()).c_str());
  if (&best != &start && start.scores.size() >= best.scores.size()) {
    const MeanStd m = start.accuracy(best.scores.size());
    std::printf("; the default has %s with the same",
                percent(m.mean, m.std, best.scores.size() > 1).c_str());
  }
  std::printf("\n");
  const auto all = static_cast<std::size_t>(t.plan.rungs.back());
  if (best.scores.size() < all)
    std::printf("  judged by %s of %zu: %s\n", seeds_text(best.scores.size()).c_str(), all,
                t.complete ? "a larger --budget goes on from here" : "the search is not over");
  if (t.test && t.test->accuracy)
    std::printf(
        "  test accuracy %s, macro-F1 %s: not looked at before, and no part of the choice\n",
        percent(t.test->accuracy->mean, t.test->accuracy->std, best.scores.size() > 1).c_str(),
        percent(t.test->macro_f1->mean, t.test->macro_f1->std, best.scores.size() > 1).c_str());
  if (changed_settings(t, best).find("knn=rule") != std::string::npos)
    std::printf(
        "  knn=rule depends on the order of the ids, which may tell classes apart "
        "(docs/protocols.md)\n");
  std::printf("  %s\n", train_command(t, best, program()).c_str());
  std::printf("  written to %s: best.toml trials.csv space.txt\n", t.folder.c_str());
}

void print(const Tuning& t) {
  const Trial* const best = t.best();
  if (!best) return;
  print_trials(t);
  print_effects(t);
  for (const Trial& trial : t.trials)
    if (trial.failed())
      std::printf("  trial %s failed: %s\n", name_of(trial).c_str(), trial.failure.c_str());
  print_winner(t, *best);
}

TuneEvents events_for(Progress& progress) {
  TuneEvents events;
  events.note = [&](const std::string& line) { progress.note(line); };
  events.should_stop = [] { return caught_signal() != 0; };
  events.epoch = [&](const Tuning& t, const Trial& trial, int seed, const EpochStats& e, int epochs,
                     const TimeLeft& left) {
    progress.epoch(
        cat(trial_text(t, trial), " seed ", seed, ", ",
            t.request.budget.seconds > 0 ? "" : "about ", duration(left.seconds), " left"),
        e, epochs);
  };
  events.trial_done = [&](const Tuning& t, const Trial& trial) {
    progress.note(done_text(t, trial));
  };
  return events;
}

}  // namespace

int cmd_tune(const Args& args) {
  TuneCommand c;
  OptionSet set;
  bind(set, c);
  std::vector<Setting> settings;
  const auto positional = parse_command(set, c.common, args, settings);
  if (printed_help(c.common, set, kWhat, kUsage)) return 0;
  TuneRequest request{.data = positional.empty() ? "" : positional[0],
                      .method = c.method,
                      .labels = c.labels,
                      .budget = parse_budget(c.budget),
                      .seeds = c.seeds,
                      .folder = c.out,
                      .program = program_version()};
  for (Setting& s : settings)
    if (s.key == "space" && s.origin != "--set")
      request.space.push_back(s.value);
    else
      request.settings.push_back(std::move(s));
  check_request(request);
  expect_arguments(positional, 1, 1, kUsage);
  request.mem_limit = apply_memory_limit(c.mem_limit);

  catch_signals();
  Progress progress(c.common.quiet);
  const Tuning result = run_tuning(std::move(request), events_for(progress));
  progress.finish();
  if (c.json)
    write_output("", json_text(tuning_json(result, program())));
  else if (!c.common.quiet)
    print(result);
  if (!result.interrupted) return 0;
  progress.note(cat("interrupted: the same command goes on from here; what is trained is in ",
                    result.folder));
  return 128 + caught_signal();
}

}  // namespace scrl::cli
