#include "run/results.h"

#include <algorithm>

#include "base/error.h"
#include "base/hash.h"
#include "base/memory.h"
#include "kernels/rows.h"
#include "models/registry.h"

namespace scrl {
namespace {

Json json_of(const Scores& s) { return {{"accuracy", s.accuracy}, {"macro_f1", s.macro_f1}}; }
Scores scores_of(const JsonFields& j) {
  return {j.number("accuracy", 0, 100), j.number("macro_f1", 0, 100)};
}

// Epochs that count lie within those that were trained.
int epoch_in(const JsonFields& j, const char* key, int epochs) {
  return j.integer<int>(key, 0, epochs);
}

Json json_of(const MeanStd& m) { return {{"mean", m.mean}, {"std", m.std}}; }

template <class F>
std::vector<double> over(const std::vector<SeedResult>& seeds, F value) {
  std::vector<double> values;
  for (const SeedResult& r : seeds) values.push_back(value(r));
  return values;
}

std::string hash_of(const Model& model) {
  Hasher hash;
  hash.array(model.log_probs.value().packed()).array(model.embedding.value().packed());
  for (const auto& p : model.params) hash.array(p->value.packed());
  return hash.hex();
}

}  // namespace

Json to_json(const SeedResult& r) {
  Json j = {{"seed", r.seed},
            {"epochs", r.epochs},
            {"best_epoch", r.best_epoch},
            {"stopped_because", r.stopped_because},
            {"test", json_of(r.test)},
            {"val", json_of(r.val)},
            {"oracle_epoch", r.oracle_epoch},
            {"oracle", json_of(r.oracle)},
            {"train_ms_per_epoch", r.train_ms},
            {"epoch_ms", r.epoch_ms},
            {"hash", r.hash}};
  if (r.calibration) j["calibration"] = to_json(*r.calibration);
  for (const MemberScore& m : r.members)
    j["members"].push_back({{"name", m.name},
                            {"weight", m.weight},
                            {"val", json_of(m.val)},
                            {"test", json_of(m.test)},
                            {"epochs", m.epochs},
                            {"best_epoch", m.best_epoch},
                            {"seconds", m.seconds}});
  return j;
}

Json to_json(const FinishedTask& t) {
  return {{"member", t.task.member},    {"fold", t.task.fold},         {"val", json_of(t.val)},
          {"test", json_of(t.test)},    {"oracle", json_of(t.oracle)}, {"epochs", t.epochs},
          {"best_epoch", t.best_epoch}, {"seconds", t.seconds},        {"collapsed", t.collapsed}};
}

FinishedTask finished_task_from_json(const JsonFields& j) {
  const int epochs = j.integer<int>("epochs");
  return {.task = {j.integer<std::size_t>("member", 0, 1000), j.integer<int>("fold", -1, 1000)},
          .val = scores_of(j.object("val")),
          .test = scores_of(j.object("test")),
          .oracle = scores_of(j.object("oracle")),
          .epochs = epochs,
          .best_epoch = epoch_in(j, "best_epoch", epochs),
          .seconds = j.number("seconds", 0),
          .collapsed = j.flag("collapsed")};
}

SeedResult seed_result_from_json(const JsonFields& j) {
  SeedResult r;
  r.seed = j.integer<int>("seed");
  r.epochs = j.integer<int>("epochs");
  r.best_epoch = epoch_in(j, "best_epoch", r.epochs);
  r.stopped_because = j.text("stopped_because");
  r.test = scores_of(j.object("test"));
  r.val = scores_of(j.object("val"));
  r.oracle_epoch = epoch_in(j, "oracle_epoch", r.epochs);
  r.oracle = scores_of(j.object("oracle"));
  r.train_ms = j.number("train_ms_per_epoch", 0);
  r.epoch_ms = j.number("epoch_ms", 0);
  r.hash = j.text("hash");
  if (j.has("calibration")) r.calibration = temperature_from_json(j.object("calibration"));
  if (!j.has("members")) return r;
  for (const JsonFields& m : j.objects("members")) {
    const int epochs = m.integer<int>("epochs");
    r.members.push_back({m.text("name"), m.number("weight", 0), scores_of(m.object("val")),
                         scores_of(m.object("test")), epochs, epoch_in(m, "best_epoch", epochs),
                         m.number("seconds", 0)});
  }
  return r;
}

SeedResult summarize(int seed, const TrainState& state, const std::string& stopped_because,
                     const Model& model) {
  std::vector<double> train_ms, epoch_ms;
  for (const EpochStats& e : state.history) {
    train_ms.push_back(e.train_ms);
    epoch_ms.push_back(e.train_ms + e.eval_ms);
  }
  const EpochStats& oracle = oracle_epoch(state);
  return {.seed = seed,
          .epochs = state.epochs_done,
          .best_epoch = state.best_epoch,
          .oracle_epoch = oracle.epoch,
          .test = state.best().test,
          .val = state.best().val,
          .oracle = oracle.test,
          .train_ms = median(train_ms),
          .epoch_ms = median(epoch_ms),
          .stopped_because = stopped_because,
          .hash = hash_of(model)};
}

SeedResult summarize(int seed, const PortfolioResult& portfolio, const Dataset& data,
                     const Split& split) {
  std::vector<std::int32_t> predicted;
  kernels::argmax_rows(portfolio.model->log_probs.value(), predicted);
  const auto scores = [&](const std::vector<NodeId>& nodes) {
    return score(predicted, data.labels, nodes, data.num_classes());
  };
  SeedResult out{.seed = seed,
                 .test = scores(split.test),
                 .val = scores(split.val),
                 .oracle = portfolio.oracle,
                 .stopped_because = portfolio.stopped_because,
                 .hash = hash_of(*portfolio.model),
                 .members = portfolio.members};
  double seconds = 0, weight = -1;
  for (const MemberScore& m : portfolio.members) {
    out.epochs += m.epochs;
    seconds += m.seconds;
    if (m.weight > weight) weight = m.weight, out.best_epoch = m.best_epoch;
  }
  out.oracle_epoch = out.best_epoch;
  out.train_ms = out.epoch_ms = 1e3 * seconds / out.epochs;
  return out;
}

MeanStd TrainResult::accuracy() const {
  return mean_std(over(seeds, [](const SeedResult& r) { return r.test.accuracy; }));
}
MeanStd TrainResult::macro_f1() const {
  return mean_std(over(seeds, [](const SeedResult& r) { return r.test.macro_f1; }));
}
MeanStd TrainResult::val_accuracy() const {
  return mean_std(over(seeds, [](const SeedResult& r) { return r.val.accuracy; }));
}
Scores TrainResult::oracle() const {
  return {mean_std(over(seeds, [](const SeedResult& r) { return r.oracle.accuracy; })).mean,
          mean_std(over(seeds, [](const SeedResult& r) { return r.oracle.macro_f1; })).mean};
}
double TrainResult::train_ms() const {
  return median(over(seeds, [](const SeedResult& r) { return r.train_ms; }));
}
double TrainResult::epoch_ms() const {
  return median(over(seeds, [](const SeedResult& r) { return r.epoch_ms; }));
}

std::string TrainResult::result_hash() const {
  Hasher all;
  for (const SeedResult& r : seeds) all.text(r.hash);
  return all.hex();
}

TrainResult train_result(const RunConfig& config, const Dataset& data, const Split& split,
                         std::vector<SeedResult> seeds, bool interrupted) {
  return {.method = config.run.method,
          .dataset = data.name,
          .labels_per_class = split.labels_per_class,
          .protocol = config.train.protocol,
          .split = config.split.split,
          .train_nodes = static_cast<Index>(split.train.size()),
          .val_nodes = static_cast<Index>(split.val.size()),
          .test_nodes = static_cast<Index>(split.test.size()),
          .seeds = std::move(seeds),
          .peak_rss_mb = static_cast<double>(peak_memory()) / 1e6,
          .interrupted = interrupted};
}

Json to_json(const Recall& r) {
  return {{"found", r.found}, {"low", r.low}, {"high", r.high}, {"nodes", r.rows}};
}

namespace {

Recall recall_from_json(const JsonFields& j) {
  return {.found = j.number("found", 0, 1),
          .low = j.number("low", 0, 1),
          .high = j.number("high", 0, 1),
          .rows = j.integer<Index>("nodes", 0)};
}

}  // namespace

Json to_json(const TrainResult& r) {
  const Json none = {{"mean", nullptr}, {"std", nullptr}};
  Json j = Json::object();  // made at once: a failed allocation in operator[] leaves half an object
  j["schema"] = 1;
  j["method"] = r.method;
  j["dataset"] = r.dataset;
  j["labels_per_class"] = r.labels_per_class;
  j["protocol"] = name_of(r.protocol);
  j["split"] = name_of(r.split);
  j["seeds"] = r.seeds.size();
  j["train_nodes"] = r.train_nodes;
  j["val_nodes"] = r.val_nodes;
  j["test_nodes"] = r.test_nodes;
  j["accuracy"] = r.tested() ? json_of(r.accuracy()) : none;
  j["macro_f1"] = r.tested() ? json_of(r.macro_f1()) : none;
  j["oracle"] =
      r.tested() ? json_of(r.oracle()) : Json{{"accuracy", nullptr}, {"macro_f1", nullptr}};
  if (r.val_nodes > 0) j["val_accuracy"] = json_of(r.val_accuracy());
  j["epochs"] = r.seeds.front().epochs;
  j["best_epoch"] = r.seeds.front().best_epoch;
  j["train_ms_per_epoch"] = r.train_ms();
  j["epoch_ms"] = r.epoch_ms();
  j["peak_rss_mb"] = r.peak_rss_mb;
  j["result_hash"] = r.result_hash();
  j["per_seed"] = Json::array();
  for (const SeedResult& s : r.seeds) j["per_seed"].push_back(to_json(s));
  j["interrupted"] = r.interrupted;
  if (r.knn_recall) j["knn_recall"] = to_json(*r.knn_recall);
  return j;
}

TrainResult train_result_from_json(const JsonFields& j) {
  TrainResult r{.method = j.text("method"),
                .dataset = j.text("dataset"),
                .labels_per_class = j.integer<int>("labels_per_class"),
                .protocol = j.choice<Protocol>("protocol"),
                .split = j.choice<SplitSource>("split"),
                .train_nodes = j.integer<Index>("train_nodes"),
                .val_nodes = j.integer<Index>("val_nodes"),
                .test_nodes = j.integer<Index>("test_nodes"),
                .seeds = {},
                .peak_rss_mb = j.number("peak_rss_mb", 0),
                .interrupted = j.flag("interrupted")};
  const auto is_method = [&](const MethodInfo& m) { return m.name == r.method; };
  if (r.method != kAuto && std::ranges::none_of(method_list(), is_method))
    j.refuse("method", "there is no '", r.method, "'");
  for (const JsonFields& seed : j.objects("per_seed"))
    r.seeds.push_back(seed_result_from_json(seed));
  if (j.has("knn_recall")) r.knn_recall = recall_from_json(j.object("knn_recall"));
  if (r.seeds.empty()) j.refuse("per_seed", "expected one seed or more, found none");
  // The hash of all seeds follows from theirs: figures of two runs do not go together.
  if (j.text("result_hash") != r.result_hash())
    j.refuse("result_hash", "it is not that of the seeds; the file was edited or damaged");
  return r;
}

TrainResult read_train_result(const std::string& file) {
  return train_result_from_json({read_json_file(file), file});
}

}  // namespace scrl
