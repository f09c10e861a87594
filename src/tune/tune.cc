#include "tune/tune.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "base/stopwatch.h"
#include "experiments/cell_training.h"
#include "models/registry.h"
#include "paper/published_settings.h"
#include "train/split.h"
#include "tune/tune_cells.h"
#include "tune/tune_report.h"

namespace scrl {
namespace {

using Status = CellOutcome::Status;

constexpr Index kCacheBytes = 512'000'000;
constexpr Index kFewValidationNodes = 100;
constexpr int kFruitlessDraws = 1000;  // in a row: the space has nothing new

class Tuner {
 public:
  Tuner(TuneRequest request, const TuneEvents& events)
      : events_(events), data_(load_dataset(request.data)) {
    t_.request = std::move(request);
    t_.data = {t_.request.data, data_.name, fingerprint(data_), 0};
    const RunConfig start(shared_settings(t_.request), data_.name);
    t_.first_seed = start.train.seed;
    look_at_split(start);
    choose_space(start);
    t_.plan = {.rungs = rungs_of(t_.request.seeds), .trials = t_.request.budget.trials};
    add_fixed_trials();
    t_.folder = t_.request.folder;
    if (t_.folder.empty())
      t_.folder = cat("tune/", data_.name, "-", t_.request.method,
                      t_.request.labels > 0 ? cat("-", t_.request.labels) : "");
    store_.emplace(t_.folder, std::vector<std::string>{"best.toml", "trials.csv", "space.txt"},
                   "search");
    t_.folder = store_->folder();
    store_->write("space.txt", space_file_text(t_.space));
  }

  Tuning run() {
    SearchSteps steps;
    steps.draw = [&] { return draw_trial(); };
    steps.train = [&](std::size_t i, int seeds) { return train(t_.trials[i], seeds); };
    steps.rung = [&](int seeds, std::size_t trials) {
      if (!replaying_ && events_.note)
        events_.note(cat(trials, " trials go on to ", seeds, " seeds"));
    };
    t_.complete = search(t_.trials, t_.plan, steps) || out_of_time_;
    write_files();
    const Trial* const best = t_.best();
    if (!best && t_.complete) {
      const Trial& first = t_.trials.front();
      fail(first.kind_of_failure,
           "no configuration could be trained; the first failed: ", first.failure);
    }
    if (best && t_.complete) t_.test = test_figures(t_, *best, *store_);
    return std::move(t_);
  }

 private:
  void note(const std::string& line) {
    if (events_.note && told_.insert(line).second) events_.note(line);
  }

  void look_at_split(const RunConfig& start) {
    const auto seed = static_cast<std::uint64_t>(t_.first_seed);
    const Split split = choose_split(data_, start.split, true, seed);
    t_.rate = split.labels_per_class;
    t_.val_nodes = static_cast<Index>(split.val.size());
    if ((t_.request.labels > 0 || !data_.splits.empty()) &&
        split.train.size() < choose_split(data_, start.split, false, seed).train.size())
      note(cat("no labelled node is left for validation: ", t_.val_nodes,
               " of the training nodes validate instead of training"));
    if (t_.val_nodes < kFewValidationNodes)
      note(cat("only ", t_.val_nodes, " validation nodes: one of them is ",
               static_cast<double>(std::lround(1000.0 / static_cast<double>(t_.val_nodes))) / 10,
               " points, and the best of many trials is partly luck"));
  }

  void choose_space(const RunConfig& start) {
    t_.space = searched_space(t_.request, start, data_.num_classes());
    int largest = 1;
    for (const TuneSetting& s : t_.space) {
      start_.push_back(start.options.value_text(*start.options.find(s.key)));
      if (s.key != "k") continue;
      largest = s.values.empty() ? static_cast<int>(s.high) : 1;
      for (const std::string& v : s.values) largest = std::max(largest, std::atoi(v.c_str()));
    }
    seen_.insert(start_);
    const Index limit = t_.request.mem_limit;
    cache_.emplace(data_, std::max(largest, start.graph.k),
                   limit > 0 ? std::min(kCacheBytes, limit / 8) : kCacheBytes);
  }

  void add_fixed_trials() {
    add_fixed_trial("default");
    bool published = true;
    try {
      published_values(t_.request.method, data_.name, t_.request.labels);
    } catch (const Error&) {
      published = false;
    }
    if (published) add_fixed_trial("paper");
  }

  // Unless the budget is used up or one like it is there.
  void add_fixed_trial(const std::string& kind) {
    const int number = static_cast<int>(t_.trials.size()) + 1;
    if (t_.plan.trials > 0 && number > t_.plan.trials) return;
    Trial trial{.number = number, .kind = kind, .fixed = true};
    const auto values = [&](const Trial& of) {
      Json settings = cell_of(t_, of, 0).key.at("settings");
      settings.erase("profile");
      return settings;
    };
    for (const Trial& other : t_.trials)
      if (values(other) == values(trial)) return;
    t_.trials.push_back(std::move(trial));
  }

  bool draw_trial() {
    for (int i = 0; i < kFruitlessDraws; ++i) {
      std::vector<std::string> values =
          draw(t_.space, start_, static_cast<std::uint64_t>(t_.first_seed), draws_++);
      if (!seen_.insert(values).second) continue;
      t_.trials.push_back({.number = static_cast<int>(t_.trials.size()) + 1,
                           .kind = "drawn",
                           .drawn = std::move(values)});
      return true;
    }
    note(cat("the space has no more than ", t_.trials.size(), " configurations to try"));
    return false;
  }

  double spent() const { return replayed_ + watch_.seconds(); }

  bool time_is_up() const {
    const double budget = t_.request.budget.seconds;
    return budget > 0 && spent() >= budget && ended_ > 0;  // the first one always finishes
  }

  // Memory or disk may be there now; a disk that could not be written may be whole again.
  static bool may_pass(const CellOutcome& o) {
    return o.status == Status::kFailed &&
           (o.kind == ErrorKind::kResource || o.kind == ErrorKind::kRun);
  }

  CellOutcome stored_or_trained(const Trial& trial, const CompareCell& c) {
    std::optional<CellOutcome> stored = store_->load(c);
    if (stored && !may_pass(*stored)) {
      replayed_ += stored->seconds;
      store_->remove_run(c);  // left by a kill after the result was saved
      return std::move(*stored);
    }
    if (replaying_ && !seconds_.empty())
      note(cat(t_.folder, ": ", seconds_.size(), " trainings are there already"));
    replaying_ = false;
    CellOutcome outcome = train_anew(trial, c);
    if (outcome.status == Status::kMissing) return outcome;
    store_->save(c, outcome);
    store_->remove_run(c);
    ++t_.trained;
    return outcome;
  }

  // False: stop now.
  bool train(Trial& trial, int seeds) {
    bool anything = false;
    while (!trial.failed() && static_cast<int>(trial.scores.size()) < seeds) {
      t_.interrupted = events_.should_stop && events_.should_stop();
      out_of_time_ = time_is_up();
      if (t_.interrupted || out_of_time_) return false;
      const CompareCell c = cell_of(t_, trial, static_cast<int>(trial.scores.size()));
      const int before = t_.trained;
      const CellOutcome outcome = stored_or_trained(trial, c);
      if (outcome.status == Status::kMissing) return false;
      anything = anything || t_.trained > before;
      take(trial, outcome);
    }
    if (anything) {
      write_files();
      if (events_.trial_done) events_.trial_done(t_, trial);
    }
    return true;
  }

  void take(Trial& trial, const CellOutcome& outcome) {
    ++ended_;
    if (outcome.status == Status::kFailed) {
      if (trial.kind == "default" &&
          (outcome.kind == ErrorKind::kData || outcome.kind == ErrorKind::kUsage))
        fail(outcome.kind, outcome.failure);
      trial.kind_of_failure = outcome.kind;
      trial.failure = outcome.failure;
      return;
    }
    trial.scores.push_back(outcome.training.value().seeds.front().val);
    trial.seconds += outcome.seconds;
    seconds_.push_back(outcome.seconds);
  }

  CellOutcome train_anew(const Trial& trial, const CompareCell& c) {
    double here = 0;
    int epochs_here = 0;
    TrainEvents events;
    events.note = [&](const std::string& line) { note(line); };
    events.should_stop = [&] {
      t_.interrupted = events_.should_stop && events_.should_stop();
      out_of_time_ = time_is_up();
      if (ended_ == 0 && t_.request.budget.seconds > 0 && spent() > t_.request.budget.seconds)
        note("the time is up; the first training is finished all the same");
      return t_.interrupted || out_of_time_;
    };
    events.epoch = [&](int seed, const std::string&, const EpochStats& e, int epochs) {
      here += (e.train_ms + e.eval_ms) / 1e3;
      ++epochs_here;
      const double epoch = here / epochs_here;
      if (events_.epoch)
        events_.epoch(t_, trial, seed, e, epochs, left((epochs - e.epoch) * epoch, epochs * epoch));
    };
    const CellTraining training{.store = *store_,
                                .cell = c,
                                .data = data_,
                                .data_reference = data_reference(t_.request.data),
                                .mem_limit = t_.request.mem_limit,
                                .operands = &*cache_,
                                .outputs = false};
    const auto once = [&] { return outcome_of([&] { return train_cell(training, events); }); };
    CellOutcome outcome = once();
    if (outcome.status == Status::kFailed && outcome.kind == ErrorKind::kResource &&
        cache_->kept() > 0) {
      cache_->clear();  // it may have been what the memory went to
      outcome = once();
    }
    return outcome;
  }

  // While a training has `rest` seconds to go and would take `whole` in all.
  TimeLeft left(double rest, double whole) const {
    const double budget = t_.request.budget.seconds;
    if (budget > 0) return {.seconds = std::max(0.0, budget - spent())};
    const auto fixed = static_cast<int>(
        std::count_if(t_.trials.begin(), t_.trials.end(), [](const Trial& t) { return t.fixed; }));
    SearchPlan plan = t_.plan;
    plan.trials = static_cast<int>(t_.trials.size());
    const int open = planned_trainings(plan, fixed) - static_cast<int>(seconds_.size()) - 1;
    const double mean = seconds_.empty() ? whole : mean_std(seconds_).mean;
    return {.seconds = rest + std::max(0, open) * mean};
  }

  void write_files() const {
    store_->write("trials.csv", trials_csv(t_));
    if (t_.best()) store_->write("best.toml", best_toml(t_, *t_.best()));
  }

  TuneEvents events_;
  Dataset data_;
  Tuning t_;
  std::vector<std::string> start_;           // value of every setting of the space
  std::set<std::vector<std::string>> seen_;  // values tried or about to be
  std::uint32_t draws_ = 0;
  std::optional<OperandCache> cache_;
  std::optional<CompareStore> store_;
  std::set<std::string> told_;
  std::vector<double> seconds_;  // of finished trainings, stored ones included
  int ended_ = 0;                // trainings, stored and failed ones included
  double replayed_ = 0;          // seconds of stored trainings
  bool replaying_ = true, out_of_time_ = false;
  Stopwatch watch_;
};

}  // namespace

Tuning run_tuning(TuneRequest request, const TuneEvents& events) {
  check_request(request);
  return Tuner(std::move(request), events).run();
}

}  // namespace scrl
