// Long because one object owns the run folder, the checkpoint and the seeds of a run.
#include "run/train_run.h"

#include <chrono>
#include <cmath>
#include <limits>
#include <optional>

#include "base/error.h"
#include "config/snapshots.h"
#include "io/npy.h"
#include "io/paths.h"
#include "models/registry.h"
#include "plan/memory.h"
#include "run/calibrate_model.h"
#include "run/checkpoint.h"
#include "run/event_log.h"
#include "run/method_run.h"
#include "run/model_file.h"
#include "run/outputs.h"
#include "run/portfolio_run.h"
#include "run/recorded_settings.h"
#include "train/split.h"

namespace scrl {
namespace {

using Clock = std::chrono::steady_clock;

// Going on with other settings or other data would mix two runs into one result.
void check_same_run(const RunDir& dir, const RunConfig& config, const Dataset& data,
                    const std::string& fingerprint) {
  const ConfigFile before = read_config_file(dir.file("config.toml"));
  if (before.fingerprint != fingerprint)
    fail(ErrorKind::kUsage, dir.path(), ": cannot resume: the data has changed since; --force ",
         "starts anew");
  RunConfig old(before.settings, data.name);
  old.resolve(data);
  const std::vector<Setting> was = old.values(), is = config.values();
  for (std::size_t i = 0; i < std::min(was.size(), is.size()); ++i)
    if (was[i].key != is[i].key || was[i].value != is[i].value)
      fail(ErrorKind::kUsage, dir.path(), ": cannot resume: ", was[i].key, " was ", was[i].value,
           ", now ", is[i].key, " is ", is[i].value,
           "; give the same options, or --force to start anew");
  if (old.run.snapshots != config.run.snapshots)
    fail(ErrorKind::kUsage, dir.path(), ": cannot resume: snapshots was '", old.run.snapshots,
         "', now it is '", config.run.snapshots, "'; give the same, or --force to start anew");
}

class TrainingRun {
 public:
  TrainingRun(TrainRequest request, const TrainEvents& events)
      : events_(events),
        resuming_(request.if_exists == IfExists::kResume),
        program_(request.program),
        embeddings_(request.embeddings),
        own_data_(std::move(request.data)),
        data_(request.shared_data ? *request.shared_data : own_data_),
        config_(request.settings, data_.name),
        snapshots_(config_.run.snapshots),
        fingerprint_(fingerprint(data_)),
        first_split_(split_for(config_.train.seed)),
        cache_(request.operands),
        outputs_(request.outputs) {
    config_.resolve(data_);
    if (!config_.method && !config_.run.snapshots.empty())
      fail(ErrorKind::kUsage, "snapshots: auto trains several models; name one with --method");
    if (config_.train.protocol == Protocol::kOracle && first_split_.test.empty())
      fail(ErrorKind::kUsage, "protocol oracle chooses the epoch on test nodes, and ", data_.source,
           " has none; use --protocol val or fixed");
    if (config_.run.seeds - 1 > std::numeric_limits<int>::max() - config_.train.seed)
      fail(ErrorKind::kUsage, "seeds: seed ", config_.train.seed, " leaves no room for ",
           config_.run.seeds, " seeds");
    require_memory_for_run(data_, first_split_, config_, request.mem_limit);
    if (!request.out.empty()) dir_.emplace(request.out, request.if_exists);
    if (dir_ && resuming_ && dir_->has("config.toml"))
      check_same_run(*dir_, config_, data_, fingerprint_);
    else if (dir_)
      dir_->write("config.toml", config_text(config_, request.data_reference, fingerprint_));
  }

  TrainOutput run() {
    if (dir_ && resuming_ && dir_->has("metrics.json") && !dir_->has("checkpoint.scrl"))
      return finished_before();
    if (events_.loaded) events_.loaded(data_, config_);
    if (dir_ && resuming_ && dir_->has("checkpoint.scrl")) {
      checkpoint_.emplace(dir_->file("checkpoint.scrl"), fingerprint_);
      results_ = checkpoint_->results;
      check_seeds();
      note("resuming from " + dir_->file("checkpoint.scrl"));
    }
    if (dir_)
      log_ = EventLog(dir_->file("events.jsonl"), checkpoint_ ? checkpoint_->event_bytes : 0);
    if (!checkpoint_) log_.write(start_event(program_));
    if (!cache_) cache_ = &own_cache_.emplace(data_);
    if (config_.method) {
      operands_ = cache_->get(config_.graph, config_.method->views());
      if (config_.method->views() & kFeatureGraph) report_recall();
      free_features();
    }
    if (const auto wanted = config_.split.labels * data_.num_classes();
        static_cast<Index>(first_split_.train.size()) < wanted)
      note(cat("only ", first_split_.train.size(), " training nodes instead of ", wanted,
               ": some classes have fewer than ", config_.split.labels, " labelled nodes left"));
    if (config_.method && !method_info(config_.run.method).features)
      note(cat(config_.run.method, " learns from the edges alone; the features are not used"));
    bool interrupted = false;
    while (static_cast<int>(results_.size()) < config_.run.seeds && !interrupted)
      interrupted = (!results_.empty() && stop_asked()) ||
                    run_seed(config_.train.seed + static_cast<int>(results_.size()));
    TrainResult result = train_result(config_, data_, first_split_, results_, interrupted);
    result.knn_recall = recall_;
    if (recall_) {
      Json event = to_json(*recall_);
      event["event"] = "knn_recall";
      log_.write(event);
    }
    log_.write({{"event", "done"}, {"result_hash", result.result_hash()}});
    if (dir_) {
      dir_->write("metrics.json", to_json(result).dump(2) + "\n");
      if (!interrupted) dir_->remove("checkpoint.scrl");
    }
    return {std::move(result), interrupted, reused_seconds_};
  }

 private:
  // A checkpoint is written between seeds, or inside one, so one at least is left.
  void check_seeds() const {
    bool sound = static_cast<int>(results_.size()) < config_.run.seeds;
    for (std::size_t i = 0; sound && i < results_.size(); ++i)
      sound = results_[i].seed == config_.train.seed + static_cast<int>(i);
    if (!sound)
      fail(ErrorKind::kModelFile, dir_->file("checkpoint.scrl"),
           ": its seeds are not those of this run; --force starts anew");
  }

  Split split_for(int seed) const {
    return choose_split(data_, config_.split, config_.train.protocol == Protocol::kVal,
                        static_cast<std::uint64_t>(seed));
  }

  void note(const std::string& line) const {
    if (events_.note) events_.note(line);
  }

  // The operands have the same features: one of the two will do.
  void free_features() {
    if (&data_ != &own_data_ || !frees_features(own_data_, config_.graph)) return;
    own_data_.features = {};
    own_data_.lent_features = operands_->X.A;
  }

  // Once, when neighbours have been searched approximately.
  void report_recall() {
    constexpr double kLow = 0.8;
    if (recall_ || !cache_->lowest_recall()) return;
    recall_ = cache_->lowest_recall();
    if (recall_->found < kLow)
      note(cat("the approximate search found ", std::lround(100 * recall_->found),
               " % of the nearest neighbours (of ", recall_->rows, " nodes, checked exactly); ",
               "--knn-search exact finds all of them, --knn-file takes a graph of your own"));
  }

  bool stop_asked() const { return events_.should_stop && events_.should_stop(); }

  TrainOutput finished_before() const {
    note(dir_->path() + ": this run is complete, nothing is left to do");
    return {read_train_result(dir_->file("metrics.json"))};
  }

  void save(const std::vector<FinishedTask>& tasks, const TrainState* state, const Model* model) {
    if (!dir_) return;
    write_checkpoint(dir_->file("checkpoint.scrl"), {fingerprint_, results_, tasks, log_.bytes()},
                     state, model);
    last_save_ = Clock::now();
  }

  // What was learned without labels by a run of other labels; none: train.
  std::optional<TrainState> learned_before(const std::string& path, Model& model) {
    try {
      std::optional<TrainState> state = Checkpoint(path, fingerprint_).restore(model);
      if (!state) return {};
      if (reused_seconds_ == 0)
        note(config_.run.method + ": learned already; only the classifier is fitted");
      for (const EpochStats& e : state->history) reused_seconds_ += (e.train_ms + e.eval_ms) / 1e3;
      return state;
    } catch (const Error& e) {
      note(cat(e.what(), ": training instead"));
      remove_file(path);
      return {};
    }
  }

  // Of the first seed, as all files are.
  void maybe_snapshot(int epoch, Model& model) const {
    if (!dir_ || !results_.empty() || !snapshots_.contains(epoch)) return;
    model.evaluate();
    write_snapshot(dir_->path(), epoch, model.embedding.value());
  }

  struct Trained {
    std::unique_ptr<Model> model;  // evaluated
    SeedResult result;
    std::optional<TrainState> state;  // of a single method
    bool interrupted = false;
  };

  // Returns true when interrupted.
  bool run_seed(int seed) {
    const Split split = results_.empty() ? first_split_ : split_for(seed);
    Trained t = config_.method ? train_one_method(seed, split) : train_portfolio(seed, split);
    // Half of a seed would spoil the mean of whole ones.
    if (t.interrupted && !results_.empty()) return true;
    if (!config_.method) report_recall();
    if (collapsed(t.model->log_probs.value()))
      note(
          "every node is predicted to be of one class; --metric macro-f1 lets classes count alike");
    if (outputs_ && config_.run.calibration == CalibrationMethod::kTemperature)
      t.interrupted = !calibrate(t, seed) || t.interrupted;
    results_.push_back(std::move(t.result));
    if (results_.size() == 1) write_outputs(*t.model, split);
    const bool more = static_cast<int>(results_.size()) < config_.run.seeds;
    if (more && !t.interrupted) save({}, nullptr, nullptr);
    return t.interrupted;
  }

  // Gives the model its temperature. False: interrupted before it was known.
  bool calibrate(Trained& t, int seed) {
    const bool by_folds = config_.train.protocol == Protocol::kFixed;
    if (by_folds && (!results_.empty() || t.interrupted || !t.state)) return true;
    if (by_folds) save({}, &*t.state, t.model.get());
    Calibrated done = calibrate_model(*t.model, {.data = data_,
                                                 .config = config_,
                                                 .operands = operands_.get(),
                                                 .split = split_for(seed),
                                                 .seed = seed,
                                                 .trained = t.state ? &*t.state : nullptr,
                                                 .note = [&](const std::string& l) { note(l); },
                                                 .should_stop = [&] { return stop_asked(); }});
    t.result.calibration = std::move(done.result);
    return !done.interrupted;
  }

  bool time_to_save() const {
    const std::chrono::duration<double> age = Clock::now() - last_save_;
    return age.count() >= config_.run.checkpoint_secs;
  }

  Trained train_portfolio(int seed, const Split& split) {
    std::vector<FinishedTask> done;
    if (checkpoint_) done = checkpoint_->finished_tasks();
    last_save_ = Clock::now();
    PortfolioEvents events;
    events.note = [&](const std::string& line) { note(line); };
    events.should_stop = [&] { return stop_asked(); };
    events.epoch = [&](const std::string& member, int fold, const EpochStats& e, int epochs) {
      Json event = epoch_event(seed, e);
      event["member"] = member;
      if (fold >= 0) event["fold"] = fold;
      log_.write(event);
      if (events_.epoch) events_.epoch(seed, member, e, epochs);
    };
    events.save = [&](const std::vector<FinishedTask>& finished, const TrainState* state,
                      const Model* model) {
      if (stop_asked() || time_to_save()) save(finished, state, model);
    };
    PortfolioRun run(data_, config_, *cache_, events);
    PortfolioResult r = run.run(seed, split, std::move(done), [&](Model& model) {
      std::optional<TrainState> begun;
      if (checkpoint_) begun = checkpoint_->restore(model);
      return begun;
    });
    checkpoint_.reset();
    SeedResult result = summarize(seed, r, data_, split);
    return {std::move(r.model), std::move(result), {}, r.interrupted};
  }

  Trained train_one_method(int seed, const Split& split) {
    const std::string embedding =
        embeddings_.empty() ? "" : cat(embeddings_, "-", seed, ".embedding");
    const bool learned = !embedding.empty() && exists(embedding);
    std::function<std::optional<TrainState>(Model&)> restore;
    if (checkpoint_ || learned)
      restore = [&](Model& model) {
        std::optional<TrainState> begun;
        if (checkpoint_) begun = checkpoint_->restore(model);
        return begun || !learned ? std::move(begun) : learned_before(embedding, model);
      };
    last_save_ = Clock::now();
    MethodEvents events;
    events.begin = [&](const TrainState& state, Model& model) {
      checkpoint_.reset();
      if (state.epochs_done == 0) maybe_snapshot(0, model);
    };
    events.epoch = [&](const EpochStats& e, Model& model) {
      maybe_snapshot(e.epoch, model);
      log_.write(epoch_event(seed, e));
      if (events_.epoch) events_.epoch(seed, config_.run.method, e, config_.train.epochs);
    };
    events.save = [&](const TrainState& state, const Model& model, bool stopping) {
      if (stopping || time_to_save()) save({}, &state, &model);
    };
    events.should_stop = [&] { return stop_asked(); };
    if (!embedding.empty() && !learned)
      events.embedded = [&](const TrainState& state, const Model& model) {
        write_checkpoint(embedding, {.fingerprint = fingerprint_}, &state, &model);
      };
    MethodRun run = train_method(data_, config_, *operands_, split, seed, events, restore);
    SeedResult result = summarize(seed, run.state, run.stopped_because, *run.model);
    return {std::move(run.model), std::move(result), std::move(run.state), run.interrupted};
  }

  // The files of the first seed: the same bytes whether or not others follow.
  void write_outputs(const Model& model, const Split& split) const {
    const SeedResult& r = results_.front();
    if (events_.trained) events_.trained(model, config_, split, r);
    if (!dir_ || !outputs_) return;
    model_file(model, config_, data_, r.seed, r.best_epoch).write(dir_->file("model.scrl"));
    dir_->write("predictions.csv", predictions_csv(data_, data_.classes, model.log_probs.value()));
    dir_->write("embeddings.npy", npy_bytes(model.embedding.value()));
    dir_->write("ids.txt", ids_text(data_));
    dir_->write("split.csv", split_csv(data_, split,
                                       conformal_nodes(data_, config_.split,
                                                       static_cast<std::uint64_t>(r.seed))));
  }

  TrainEvents events_;
  bool resuming_;
  std::string program_, embeddings_;
  double reused_seconds_ = 0;
  Dataset own_data_;
  const Dataset& data_;
  RunConfig config_;
  SnapshotEpochs snapshots_;
  std::string fingerprint_;
  Split first_split_;
  std::optional<OperandCache> own_cache_;
  OperandCache* cache_;
  std::optional<Recall> recall_;  // of the approximate search for neighbours
  bool outputs_;
  std::optional<RunDir> dir_;
  EventLog log_;
  std::optional<Checkpoint> checkpoint_;
  std::shared_ptr<const Operands> operands_;
  std::vector<SeedResult> results_;
  Clock::time_point last_save_;
};

}  // namespace

TrainOutput run_training(TrainRequest request, const TrainEvents& events) {
  return TrainingRun(std::move(request), events).run();
}

}  // namespace scrl
