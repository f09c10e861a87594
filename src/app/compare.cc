#include "app/compare.h"

#include <algorithm>
#include <optional>
#include <set>

#include "app/cell_training.h"
#include "app/compare_files.h"
#include "base/error.h"
#include "data/dataset.h"

namespace scrl {
namespace {

using Status = CellOutcome::Status;

std::string default_folder(const std::vector<DataFacts>& data) {
  std::string names;
  for (const DataFacts& d : data) names += (names.empty() ? "" : "-") + d.name;
  return "compare/" + (names.size() <= 100 ? names : cat(data.size(), "-data-sets"));
}

DataFacts facts_of(const std::string& given, const Dataset& data) {
  return {given, data.name, fingerprint(data),
          data.splits.empty() ? 0 : data.splits.front().labels_per_class};
}

class Runner {
 public:
  Runner(CompareRequest request, const CompareEvents& events)
      : request_(std::move(request)), events_(events) {
    check_request(request_);
    // Everything that can be wrong with the data is said now, not after hours. With several, each
    // is read again when its turn comes, so that one at a time is in memory.
    std::vector<DataFacts> facts;
    for (const std::string& given : request_.data) {
      data_.reset();
      data_.emplace(load_dataset(given));
      facts.push_back(facts_of(given, *data_));
    }
    loaded_ = request_.data.size() - 1;
    result_.folder = request_.folder.empty() ? default_folder(facts) : request_.folder;
    result_.plan = plan_comparison(request_, std::move(facts));
    result_.outcomes.resize(result_.plan.cells.size());
    store_.emplace(result_.folder);
    result_.folder = store_->folder();
  }

  Comparison run() {
    int found = 0;
    for (std::size_t i = 0; i < result_.outcomes.size(); ++i) {
      auto stored = store_->load(result_.plan.cells[i]);
      if (!stored || stored->status != Status::kDone) continue;
      result_.outcomes[i] = std::move(*stored);
      ++found;
    }
    if (found > 0)
      note(cat(result_.folder, ": ", found, " of ", result_.outcomes.size(),
               " trainings are there already"));
    for (std::size_t i = 0; i < result_.outcomes.size() && !result_.interrupted; ++i)
      if (result_.outcomes[i].status == Status::kMissing) run_cell(i);
    write_comparison(result_, *store_);
    return std::move(result_);
  }

 private:
  void note(const std::string& line) const {
    if (events_.note) events_.note(line);
  }

  void load(std::size_t index) {
    if (data_ && loaded_ == index) return;
    const DataFacts& facts = result_.plan.data[index];
    data_.reset();
    Dataset data = load_dataset(facts.given);
    if (fingerprint(data) != facts.fingerprint)
      fail(ErrorKind::kData, facts.given, ": has changed since the comparison began");
    data_.emplace(std::move(data));
    loaded_ = index;
  }

  void run_cell(std::size_t index) {
    const CompareCell& cell = result_.plan.cells[index];
    if (events_.should_stop && events_.should_stop()) {
      result_.interrupted = true;
      return;
    }
    if (const std::string change = store_->change(cell);
        !change.empty() && told_.insert(change).second)
      note(cat("not what is stored (", change, "): training anew"));
    CellOutcome& outcome = result_.outcomes[index];
    outcome = outcome_of([&] { return train(index); });
    if (outcome.status == Status::kMissing) return;  // interrupted
    store_->save(cell, outcome);
    store_->remove_run(cell);
    ++result_.trained;
    if (events_.cell_done) events_.cell_done(result_, index);
  }

  CellOutcome train(std::size_t index) {
    const CompareCell& cell = result_.plan.cells[index];
    load(cell.data);
    double here = 0;  // seconds in epochs of this process
    int epochs_here = 0;
    TrainEvents events;
    events.note = events_.note;
    events.should_stop = events_.should_stop;
    events.epoch = [&](int seed, const EpochStats& e, int epochs) {
      here += (e.train_ms + e.eval_ms) / 1e3;
      ++epochs_here;
      const int left = (cell.first_seed + cell.seeds - seed) * epochs - e.epoch;
      if (events_.epoch)
        events_.epoch(result_.plan, index, seed, e,
                      time_left(result_, index, left * here / epochs_here));
    };
    CellOutcome outcome = train_cell({.store = *store_,
                                      .cell = cell,
                                      .data = *data_,
                                      .data_reference = data_reference(request_.data[cell.data]),
                                      .mem_limit = request_.mem_limit},
                                     events);
    result_.interrupted = outcome.status == Status::kMissing;
    return outcome;
  }

  CompareRequest request_;
  CompareEvents events_;
  Comparison result_;
  std::optional<CompareStore> store_;
  std::optional<Dataset> data_;
  std::size_t loaded_ = 0;      // which one data_ is
  std::set<std::string> told_;  // reasons for training anew
};

}  // namespace

Comparison run_comparison(CompareRequest request, const CompareEvents& events) {
  return Runner(std::move(request), events).run();
}

TimeLeft time_left(const Comparison& comparison, std::size_t running, double rest) {
  const auto& cells = comparison.plan.cells;
  TimeLeft left{.seconds = rest};
  for (std::size_t i = running + 1; i < cells.size(); ++i) {
    if (comparison.outcomes[i].status != Status::kMissing) continue;
    double sum = 0;
    int timed = 0;
    for (std::size_t j = 0; j < cells.size(); ++j)
      if (comparison.outcomes[j].status == Status::kDone && cells[j].data == cells[i].data &&
          cells[j].method == cells[i].method) {
        sum += comparison.outcomes[j].seconds;
        ++timed;
      }
    if (timed > 0)
      left.seconds += sum / timed;
    else
      left.at_least = true;
  }
  return left;
}

}  // namespace scrl
