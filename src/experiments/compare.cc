#include "experiments/compare.h"

#include <algorithm>
#include <optional>
#include <set>

#include "base/error.h"
#include "base/memory.h"
#include "base/stopwatch.h"
#include "data/dataset.h"
#include "experiments/cell_training.h"
#include "experiments/compare_files.h"
#include "experiments/figure_layouts.h"
#include "io/paths.h"
#include "plan/bench.h"

namespace scrl {
namespace {

using Status = CellOutcome::Status;

std::string default_folder(const std::vector<DataFacts>& data) {
  std::string names;
  for (const DataFacts& d : data) names += (names.empty() ? "" : "-") + d.name;
  return "compare/" + (names.size() <= 100 ? names : cat(data.size(), "-data-sets"));
}

DataFacts facts_of(const DataRequest& request, const Dataset& data, bool uses_its_splits) {
  return {request.given, data.name, fingerprint(data),
          uses_its_splits && !data.splits.empty() ? data.splits.front().labels_per_class : 0,
          request.labels};
}

bool uses_splits_of_data(const std::vector<Setting>& settings) {
  const auto last = std::find_if(settings.rbegin(), settings.rend(),
                                 [](const Setting& s) { return s.key == "split"; });
  return last == settings.rend() || last->value == name_of(SplitOptions().split);
}

class Runner {
 public:
  Runner(CompareRequest request, const CompareEvents& events, const CompareStore* store)
      : request_(std::move(request)), events_(events), store_(store) {
    check_request(request_);
    // Everything that can be wrong with the data is said now, not after hours. With several, each
    // is read again when its turn comes, so that one at a time is in memory.
    std::vector<DataFacts> facts;
    for (const DataRequest& wanted : request_.data) {
      data_.reset();
      data_.emplace(load_dataset(wanted.given));
      facts.push_back(facts_of(wanted, *data_, uses_splits_of_data(request_.settings)));
    }
    loaded_ = request_.data.size() - 1;
    const std::string folder = request_.folder.empty() ? default_folder(facts) : request_.folder;
    result_.plan = plan_comparison(request_, std::move(facts));
    result_.outcomes.resize(result_.plan.cells.size());
    if (!store_) store_ = &own_store_.emplace(folder);
    result_.folder = store_->folder();
  }

  Comparison run() {
    int found = 0;
    for (std::size_t i = 0; i < result_.outcomes.size(); ++i) {
      auto stored = store_->load(result_.plan.cells[i]);
      if (request_.any_build && (!stored || stored->status != Status::kDone))
        stored = store_->load_of_any_build(result_.plan.cells[i]);
      if (!stored || stored->status != Status::kDone) continue;
      if (request_.layouts && !load_layouts(*store_, result_.plan.cells[i])) continue;
      result_.outcomes[i] = std::move(*stored);
      store_->remove_run(result_.plan.cells[i]);  // left by a kill after the result was saved
      ++found;
    }
    if (found > 0)
      note(cat(result_.folder, ": ", request_.table, request_.table.empty() ? "" : ": ", found,
               " of ", result_.outcomes.size(),
               request_.bench_epochs > 0 ? " measurements" : " trainings", " are there already"));
    for (std::size_t i = 0; i < result_.outcomes.size() && !result_.interrupted; ++i)
      if (result_.outcomes[i].status == Status::kMissing) run_cell(i);
    if (!result_.interrupted) store_->remove_embeddings();
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
    if (const std::string change = store_->change(cell, !request_.table.empty());
        !change.empty() && told_.insert(change).second)
      note(cat("not what is stored (", change, "): training anew",
               change.starts_with("program") && !request_.any_build && !cell.layouts
                   ? "; --any-build would take it"
                   : ""));
    CellOutcome& outcome = result_.outcomes[index];
    outcome = outcome_of([&] {
      load(cell.data);
      return request_.bench_epochs > 0 ? measure(index) : train(index);
    });
    if (outcome.status == Status::kMissing) return;  // interrupted
    outcome.program = request_.program;
    store_->save(cell, outcome);
    store_->remove_run(cell);
    if (!cell.embedding.empty() && !shares(cell)) store_->remove_embeddings(cell.embedding);
    ++result_.trained;
    if (events_.cell_done) events_.cell_done(result_, index);
  }

  // Whether another cell that is still to train learns the same without labels.
  bool shares(const CompareCell& cell) const {
    for (std::size_t i = 0; i < result_.outcomes.size(); ++i)
      if (const CompareCell& other = result_.plan.cells[i];
          &other != &cell && other.embedding == cell.embedding &&
          result_.outcomes[i].status == Status::kMissing)
        return true;
    return false;
  }

  std::string embeddings_for(const CompareCell& cell) const {
    if (cell.embedding.empty()) return "";
    const std::string files = store_->embeddings(cell);
    const bool there = exists(cat(files, "-", cell.first_seed, ".embedding"));
    return there || shares(cell) ? files : "";
  }

  CellOutcome measure(std::size_t index) {
    CellOutcome outcome;
    const Stopwatch watch;
    const bool peak_known = reset_peak_memory();
    outcome.times = run_bench({.data = *data_,
                               .settings = result_.plan.cells[index].settings,
                               .epochs = request_.bench_epochs})
                        .times;
    outcome.seconds = watch.seconds();
    if (peak_known) outcome.peak_mb = static_cast<double>(peak_memory()) / 1e6;
    outcome.status = Status::kDone;
    return outcome;
  }

  CellOutcome train(std::size_t index) {
    const CompareCell& cell = result_.plan.cells[index];
    double here = 0;  // seconds in epochs of this process
    int epochs_here = 0;
    TrainEvents events;
    events.note = events_.note;
    events.should_stop = events_.should_stop;
    events.epoch = [&](int seed, const std::string&, const EpochStats& e, int epochs) {
      here += (e.train_ms + e.eval_ms) / 1e3;
      ++epochs_here;
      const int left = (cell.first_seed + cell.seeds - seed) * epochs - e.epoch;
      if (events_.epoch)
        events_.epoch(result_.plan, index, seed, e,
                      time_left(result_, index, left * here / epochs_here));
    };
    CellOutcome outcome =
        train_cell({.store = *store_,
                    .cell = cell,
                    .data = *data_,
                    .data_reference = data_reference(request_.data[cell.data].given),
                    .mem_limit = request_.mem_limit,
                    .embeddings = embeddings_for(cell)},
                   events);
    result_.interrupted = outcome.status == Status::kMissing;
    if (cell.layouts && outcome.status == Status::kDone) {
      note(cat(result_.plan.data[cell.data].name, " ", cell.method, ": 2-D embeddings"));
      save_layouts(*store_, cell, lay_out_run(store_->run_folder(cell), cell, *data_));
    }
    return outcome;
  }

  CompareRequest request_;
  CompareEvents events_;
  Comparison result_;
  std::optional<CompareStore> own_store_;
  const CompareStore* store_;
  std::optional<Dataset> data_;
  std::size_t loaded_ = 0;      // which one data_ is
  std::set<std::string> told_;  // reasons for training anew
};

}  // namespace

Comparison run_comparison(CompareRequest request, const CompareEvents& events,
                          const CompareStore* store) {
  return Runner(std::move(request), events, store).run();
}

TimeLeft time_left(const Comparison& comparison, std::size_t running, double rest) {
  const auto& cells = comparison.plan.cells;
  TimeLeft left{.seconds = rest};
  for (std::size_t i = running + 1; i < cells.size(); ++i) {
    if (comparison.outcomes[i].status != Status::kMissing) continue;
    if (!cells[i].embedding.empty() &&
        std::any_of(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(i),
                    [&](const CompareCell& c) { return c.embedding == cells[i].embedding; }))
      continue;
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
