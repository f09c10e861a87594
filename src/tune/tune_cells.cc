#include "tune/tune_cells.h"

#include "base/error.h"
#include "base/hash.h"

namespace scrl {

std::vector<Setting> Tuning::settings_of(const Trial& trial) const {
  std::vector<Setting> out = shared_settings(request);
  const bool own_profile = trial.kind == "default" || trial.kind == "paper";
  if (own_profile) out = without_profile(std::move(out));
  if (trial.kind == "paper") out.insert(out.begin(), {"profile", "paper", "tune"});
  for (std::size_t i = 0; i < trial.drawn.size(); ++i)
    out.push_back({space[i].key, trial.drawn[i], "tune"});
  return out;
}

CompareCell cell_of(const Tuning& tuning, const Trial& trial, int seed_index) {
  CompareCell out{.labels = tuning.request.labels,
                  .method = tuning.request.method,
                  .protocol = Protocol::kVal,
                  .settings = tuning.settings_of(trial)};
  out.settings.push_back({"seed", cat(tuning.first_seed + seed_index), "tune"});
  out.settings.push_back({"seeds", "1", "tune"});
  finish_cell(out, tuning.request.program, tuning.data);
  return out;
}

TestFigures test_figures(const Tuning& tuning, const Trial& trial, const CompareStore& store) {
  TestFigures out;
  std::vector<double> accuracy, macro_f1;
  Hasher all;
  for (std::size_t i = 0; i < trial.scores.size(); ++i) {
    const auto outcome = store.load(cell_of(tuning, trial, static_cast<int>(i)));
    check(outcome && outcome->status == CellOutcome::Status::kDone, tuning.folder,
          ": a cell has disappeared");
    const TrainResult& r = outcome->training.value();
    const SeedResult& seed = r.seeds.front();
    all.text(seed.hash);
    if (!r.tested()) continue;
    accuracy.push_back(seed.test.accuracy);
    macro_f1.push_back(seed.test.macro_f1);
  }
  if (!accuracy.empty()) {
    out.accuracy = mean_std(accuracy);
    out.macro_f1 = mean_std(macro_f1);
  }
  out.result_hash = all.hex();
  return out;
}

}  // namespace scrl
