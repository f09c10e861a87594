// tune/tune_report.h: a search as files and as what people read (docs/tuning.md). Of the scores
// only those on validation nodes are here, but for the winner's.
#pragma once
#include <string>
#include <vector>

#include "tune/tune.h"

namespace scrl {

std::string trials_csv(const Tuning& tuning);  // one row per trial
// Settings of a trial as a file for scrl train --config, with the seeds it was judged by.
std::string best_toml(const Tuning& tuning, const Trial& trial);
Json tuning_json(const Tuning& tuning, const std::string& program);

// The command that trains a trial again with its seeds. `program`: how scrl is called.
std::string train_command(const Tuning& tuning, const Trial& trial, const std::string& program);

// What a trial sets otherwise than the method does by itself: "k=5 lr=0.002", in the order of the
// options.
std::string changed_settings(const Tuning& tuning, const Trial& trial);

// Median validation accuracy of trials by the value of one setting, all with the first seed alone;
// a median, since some configurations learn nothing at all.
struct SettingEffect {
  struct Part {
    std::string value;  // or a third of a range
    double median = 0;
    int trials = 0;
  };
  std::string key;
  std::vector<Part> parts;  // best first
  double spread() const { return parts.front().median - parts.back().median; }
};
// Settings of which at least two values have at least three trials each, larger spreads first.
// Other settings vary at the same time, so this is a hint and no more.
std::vector<SettingEffect> setting_effects(const Tuning& tuning);

}  // namespace scrl
