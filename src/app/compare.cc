#include "app/compare.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <new>
#include <optional>
#include <set>

#include "app/bench.h"
#include "app/compare_files.h"
#include "app/train_run.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/stopwatch.h"
#include "data/dataset.h"

namespace scrl {
namespace {

using Status = CellOutcome::Status;

// Epoch times of a run's events.jsonl. After a resume it holds every epoch once, those of the
// killed process included.
double epoch_seconds(const std::string& run) {
  std::ifstream in(run + "/events.jsonl");
  double ms = 0;
  for (std::string line; std::getline(in, line);) {
    const Json e = Json::parse(line, nullptr, false);
    if (e.is_object() && e.contains("train_ms") && e.contains("eval_ms"))
      ms += e["train_ms"].get<double>() + e["eval_ms"].get<double>();
  }
  return ms / 1e3;
}

std::string default_folder(const std::vector<DataFacts>& data) {
  std::string names;
  for (const DataFacts& d : data) names += (names.empty() ? "" : "-") + d.name;
  return "compare/" + (names.size() <= 100 ? names : cat(data.size(), "-data-sets"));
}

DataFacts facts_of(const DataRequest& request, const Dataset& data) {
  return {request.given, data.name, fingerprint(data),
          data.splits.empty() ? 0 : data.splits.front().labels_per_class, request.labels};
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
      facts.push_back(facts_of(wanted, *data_));
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
      result_.outcomes[i] = std::move(*stored);
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
               change.starts_with("program") ? "; --any-build would take it" : ""));
    CellOutcome& outcome = result_.outcomes[index];
    try {
      load(cell.data);
      request_.bench_epochs > 0 ? measure(index) : train(index);
    } catch (const Error& e) {
      outcome = {.status = Status::kFailed, .kind = e.kind(), .failure = e.what()};
    } catch (const std::bad_alloc&) {
      outcome = {
          .status = Status::kFailed, .kind = ErrorKind::kResource, .failure = "out of memory"};
    }
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
    const bool there = std::filesystem::exists(cat(files, "-", cell.first_seed, ".embedding"));
    return there || shares(cell) ? files : "";
  }

  void measure(std::size_t index) {
    CellOutcome& outcome = result_.outcomes[index];
    const Stopwatch watch;
    const bool peak_known = reset_peak_memory();
    outcome.metrics = run_bench({.data = *data_,
                                 .settings = result_.plan.cells[index].settings,
                                 .epochs = request_.bench_epochs});
    outcome.metrics["per_seed"] = Json::array();  // no seed went to its end
    outcome.seconds = watch.seconds();
    if (peak_known) outcome.peak_mb = static_cast<double>(peak_memory()) / 1e6;
    outcome.status = Status::kDone;
  }

  void train(std::size_t index) {
    const CompareCell& cell = result_.plan.cells[index];
    CellOutcome& outcome = result_.outcomes[index];
    const bool peak_known = reset_peak_memory();
    const Stopwatch watch;
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
    const TrainReport report = train_or_start_anew(cell, events);
    if (report.interrupted) {
      result_.interrupted = true;
      return;
    }
    outcome.seconds = watch.seconds() +
                      std::max(0.0, epoch_seconds(store_->run_folder(cell)) - here) +
                      report.reused_seconds;
    if (peak_known && report.reused_seconds == 0)
      outcome.peak_mb = static_cast<double>(peak_memory()) / 1e6;
    outcome.metrics = report.json;
    outcome.status = Status::kDone;
  }

  TrainReport train_or_start_anew(const CompareCell& cell, const TrainEvents& events) {
    const std::string folder = store_->run_folder(cell);
    const TrainRequest request{.data_reference = data_reference(request_.data[cell.data].given),
                               .settings = cell.settings,
                               .out = folder,
                               .if_exists = IfExists::kResume,
                               .mem_limit = request_.mem_limit,
                               .shared_data = &*data_,
                               .embeddings = embeddings_for(cell)};
    const bool resumed = std::filesystem::exists(folder);
    try {
      return run_training(request, events);
    } catch (const Error& e) {
      if (!resumed || e.kind() != ErrorKind::kModelFile) throw;
      note(cat(e.what(), ": starting this cell anew"));
      store_->remove_run(cell);
    }
    return run_training(request, events);
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
