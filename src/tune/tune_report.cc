#include "tune/tune_report.h"

#include <algorithm>
#include <cstdio>
#include <map>

#include "base/error.h"
#include "kernels/simd.h"
#include "run/outputs.h"

namespace scrl {
namespace {

const char* status_text(const Trial& t) {
  return t.failed() ? "failed" : t.scores.empty() ? "waiting" : "done";
}

// Rung by number of seeds, 1 for the first; 0: none yet.
int rung_of(const Tuning& t, const Trial& trial) {
  const auto& rungs = t.plan.rungs;
  return static_cast<int>(std::count_if(rungs.begin(), rungs.end(), [&](int s) {
    return static_cast<std::size_t>(s) <= trial.scores.size();
  }));
}

std::string fixed(double value) {
  char text[64];
  std::snprintf(text, sizeof text, "%.2f", value);
  return text;
}

// A word of a shell command.
std::string quoted(const std::string& text) {
  const bool plain = std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) ||
           std::string_view("_-./=:,+@%").find(static_cast<char>(c)) != std::string_view::npos;
  });
  if (plain && !text.empty()) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

bool named_elsewhere(const std::string& key) {
  for (const char* other :
       {"method", "profile", "labels", "seed", "seeds", "protocol", "checkpoint_secs"})
    if (key == other) return true;
  return false;
}

std::vector<std::string> changes(const Tuning& t, const Trial& trial) {
  const RunConfig config(t.settings_of(trial), t.data.name);
  std::vector<std::string> out;
  for (const OptionSet::Entry& e : config.options.entries())
    if (const std::string value = config.options.value_text(e);
        value != e.default_text && !named_elsewhere(e.key))
      out.push_back(cat(e.key, "=", value));
  return out;
}

// The value of a setting of the space in a trial, drawn or not.
std::vector<std::string> values_of(const Tuning& t, const Trial& trial) {
  if (!trial.drawn.empty()) return trial.drawn;
  const RunConfig config(t.settings_of(trial), t.data.name);
  std::vector<std::string> out;
  for (const TuneSetting& s : t.space)
    out.push_back(config.options.value_text(*config.options.find(s.key)));
  return out;
}

Json json_of(const MeanStd& m) { return {{"mean", m.mean}, {"std", m.std}}; }

Json json_of(const Tuning& t, const Trial& trial) {
  Json j = {
      {"trial", trial.number},        {"kind", trial.kind},
      {"status", status_text(trial)}, {"rung", rung_of(t, trial)},
      {"seeds", trial.scores.size()}, {"val_accuracy", nullptr},
      {"val_macro_f1", nullptr},      {"per_seed", Json::array()},
      {"seconds", trial.seconds},     {"failure", trial.failed() ? Json(trial.failure) : Json()},
      {"searched", Json::object()},   {"changed", Json::array()}};
  if (!trial.scores.empty()) {
    j["val_accuracy"] = json_of(trial.accuracy(trial.scores.size()));
    j["val_macro_f1"] = json_of(trial.macro_f1(trial.scores.size()));
  }
  for (std::size_t i = 0; i < trial.scores.size(); ++i)
    j["per_seed"].push_back({{"seed", t.first_seed + static_cast<int>(i)},
                             {"val_accuracy", trial.scores[i].accuracy},
                             {"val_macro_f1", trial.scores[i].macro_f1}});
  const std::vector<std::string> values = values_of(t, trial);
  for (std::size_t i = 0; i < values.size(); ++i) j["searched"][t.space[i].key] = values[i];
  for (const std::string& c : changes(t, trial)) j["changed"].push_back(c);
  return j;
}

}  // namespace

std::string changed_settings(const Tuning& t, const Trial& trial) {
  std::string out;
  for (const std::string& c : changes(t, trial)) out += (out.empty() ? "" : " ") + c;
  return out;
}

std::string train_command(const Tuning& t, const Trial& trial, const std::string& program) {
  std::string out = cat(quoted(program), " train ", quoted(t.request.data));
  out += cat(" -m ", t.request.method);
  if (t.request.labels > 0) out += cat(" -l ", t.request.labels);
  out += cat(" --seeds ", trial.scores.size());
  if (t.first_seed != 0) out += cat(" --seed ", t.first_seed);
  for (const std::string& c : changes(t, trial)) out += cat(" --set ", quoted(c));
  return out;
}

std::string trials_csv(const Tuning& t) {
  std::string out =
      "trial,kind,status,rung,seeds,val_accuracy_mean,val_accuracy_std,val_macro_f1_mean,best";
  for (const TuneSetting& s : t.space) out += "," + s.key;
  out += ",failure,seconds\n";
  const Trial* const best = t.best();
  for (const Trial& trial : t.trials) {
    const std::size_t seeds = trial.scores.size();
    const MeanStd accuracy = trial.accuracy(seeds);
    out += cat(trial.number, ",", trial.kind, ",", status_text(trial), ",", rung_of(t, trial), ",",
               seeds, ",");
    out += seeds > 0 ? cat(accuracy.mean, ",", accuracy.std, ",", trial.macro_f1(seeds).mean)
                     : std::string(",,");
    out += cat(",", &trial == best);
    for (const std::string& value : values_of(t, trial)) out += cat(",", csv_field(value));
    out += cat(",", trial.failed() ? csv_field(trial.failure) : "", ",", trial.seconds, "\n");
  }
  return out;
}

std::string best_toml(const Tuning& t, const Trial& trial) {
  std::vector<Setting> all = t.settings_of(trial);
  all.push_back({"seed", cat(t.first_seed), "tune"});
  all.push_back({"seeds", cat(trial.scores.size()), "tune"});
  // Every value by itself: the file serves data that has no profile as well.
  std::vector<Setting> values = RunConfig(all, t.data.name).values();
  std::erase_if(values, [](const Setting& s) { return s.key == "profile"; });
  const MeanStd accuracy = trial.accuracy(trial.scores.size());
  return cat("# scrl tune: trial ", trial.number, ", validation accuracy ", fixed(accuracy.mean),
             " with ", trial.scores.size(), trial.scores.size() == 1 ? " seed" : " seeds", "\n",
             config_text(RunConfig(values, t.data.name), data_reference(t.request.data),
                         t.data.fingerprint));
}

std::vector<SettingEffect> setting_effects(const Tuning& t) {
  std::vector<std::map<std::string, std::vector<double>>> scores(t.space.size());
  for (const Trial& trial : t.trials) {
    if (trial.scores.empty()) continue;
    const std::vector<std::string> values = values_of(t, trial);
    for (std::size_t i = 0; i < values.size(); ++i)
      scores[i][part_of(t.space[i], values[i])].push_back(trial.scores.front().accuracy);
  }
  std::vector<SettingEffect> out;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    SettingEffect effect{.key = t.space[i].key};
    for (const auto& [value, s] : scores[i])
      if (s.size() >= 3) effect.parts.push_back({value, median(s), static_cast<int>(s.size())});
    std::stable_sort(effect.parts.begin(), effect.parts.end(),
                     [](const auto& a, const auto& b) { return a.median > b.median; });
    if (effect.parts.size() >= 2 && effect.spread() > 0) out.push_back(std::move(effect));
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.spread() > b.spread(); });
  return out;
}

Json tuning_json(const Tuning& t, const std::string& program) {
  Json j = {{"schema", 1},
            {"program", t.request.program},
            {"simd", kernels::simd_level()},
            {"dataset", t.data.name},
            {"data", t.data.given},
            {"fingerprint", t.data.fingerprint},
            {"method", t.request.method},
            {"labels_per_class", t.rate},
            {"val_nodes", t.val_nodes},
            {"chosen_on", "validation nodes"},
            {"complete", t.complete},
            {"rungs", t.plan.rungs},
            {"space", Json::object()},
            {"best", nullptr},
            {"trials", Json::array()}};
  for (const TuneSetting& s : t.space) j["space"][s.key] = s.text();
  for (const Trial& trial : t.trials) j["trials"].push_back(json_of(t, trial));
  const Trial* const best = t.best();
  if (!best) return j;
  Json b = {{"trial", best->number},
            {"seeds", best->scores.size()},
            {"val_accuracy", json_of(best->accuracy(best->scores.size()))},
            {"command", train_command(t, *best, program)},
            {"test", nullptr},
            {"result_hash", nullptr}};
  if (t.test) {
    b["result_hash"] = t.test->result_hash;
    if (t.test->accuracy)
      b["test"] = {{"accuracy", json_of(*t.test->accuracy)},
                   {"macro_f1", json_of(*t.test->macro_f1)}};
  }
  j["best"] = b;
  return j;
}

}  // namespace scrl
