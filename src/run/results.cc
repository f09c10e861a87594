#include "run/results.h"

#include "base/hash.h"
#include "base/memory.h"
#include "kernels/rows.h"

namespace scrl {
namespace {

Json json_of(const Scores& s) { return {{"accuracy", s.accuracy}, {"macro_f1", s.macro_f1}}; }
Scores scores_of(const Json& j) {
  return {j.at("accuracy").get<double>(), j.at("macro_f1").get<double>()};
}

template <class F>
Json mean_std_json(const std::vector<SeedResult>& seeds, F value) {
  std::vector<double> values;
  for (const SeedResult& r : seeds) values.push_back(value(r));
  const MeanStd m = mean_std(values);
  return {{"mean", m.mean}, {"std", m.std}};
}

template <class F>
double median_of(const std::vector<SeedResult>& seeds, F value) {
  std::vector<double> values;
  for (const SeedResult& r : seeds) values.push_back(value(r));
  return median(values);
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

FinishedTask finished_task_from_json(const Json& j) {
  return {.task = {j.at("member").get<std::size_t>(), j.at("fold").get<int>()},
          .val = scores_of(j.at("val")),
          .test = scores_of(j.at("test")),
          .oracle = scores_of(j.at("oracle")),
          .epochs = j.at("epochs").get<int>(),
          .best_epoch = j.at("best_epoch").get<int>(),
          .seconds = j.at("seconds").get<double>(),
          .collapsed = j.at("collapsed").get<bool>()};
}

SeedResult seed_result_from_json(const Json& j) {
  SeedResult r;
  r.seed = j.at("seed").get<int>();
  r.epochs = j.at("epochs").get<int>();
  r.best_epoch = j.at("best_epoch").get<int>();
  r.stopped_because = j.at("stopped_because").get<std::string>();
  r.test = scores_of(j.at("test"));
  r.val = scores_of(j.at("val"));
  r.oracle_epoch = j.at("oracle_epoch").get<int>();
  r.oracle = scores_of(j.at("oracle"));
  r.train_ms = j.at("train_ms_per_epoch").get<double>();
  r.epoch_ms = j.at("epoch_ms").get<double>();
  r.hash = j.at("hash").get<std::string>();
  for (const Json& m : j.value("members", Json::array()))
    r.members.push_back({m.at("name").get<std::string>(), m.at("weight").get<double>(),
                         scores_of(m.at("val")), scores_of(m.at("test")), m.at("epochs").get<int>(),
                         m.at("best_epoch").get<int>(), m.at("seconds").get<double>()});
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

Json metrics_json(const RunConfig& config, const Dataset& data, const Split& split,
                  const std::vector<SeedResult>& seeds) {
  Json j;
  j["schema"] = 1;
  j["method"] = config.run.method;
  j["dataset"] = data.name;
  j["labels_per_class"] = split.labels_per_class;
  j["protocol"] = config.train.protocol;
  j["split"] = config.split.split;
  j["seeds"] = seeds.size();
  j["train_nodes"] = split.train.size();
  j["val_nodes"] = split.val.size();
  j["test_nodes"] = split.test.size();
  if (!split.test.empty()) {
    j["accuracy"] = mean_std_json(seeds, [](const SeedResult& r) { return r.test.accuracy; });
    j["macro_f1"] = mean_std_json(seeds, [](const SeedResult& r) { return r.test.macro_f1; });
    // Chosen on the test nodes: a diagnostic, never a result.
    j["oracle"] = {
        {"accuracy",
         mean_std_json(seeds, [](const SeedResult& r) { return r.oracle.accuracy; })["mean"]},
        {"macro_f1",
         mean_std_json(seeds, [](const SeedResult& r) { return r.oracle.macro_f1; })["mean"]}};
  } else {
    j["accuracy"] = j["macro_f1"] = {{"mean", nullptr}, {"std", nullptr}};
    j["oracle"] = {{"accuracy", nullptr}, {"macro_f1", nullptr}};
  }
  if (!split.val.empty())
    j["val_accuracy"] = mean_std_json(seeds, [](const SeedResult& r) { return r.val.accuracy; });
  j["epochs"] = seeds.front().epochs;
  j["best_epoch"] = seeds.front().best_epoch;
  j["train_ms_per_epoch"] = median_of(seeds, [](const SeedResult& r) { return r.train_ms; });
  j["epoch_ms"] = median_of(seeds, [](const SeedResult& r) { return r.epoch_ms; });
  j["peak_rss_mb"] = static_cast<double>(peak_memory()) / 1e6;
  Hasher all;
  for (const SeedResult& r : seeds) all.text(r.hash);
  j["result_hash"] = all.hex();
  j["per_seed"] = Json::array();
  for (const SeedResult& r : seeds) j["per_seed"].push_back(to_json(r));
  return j;
}

}  // namespace scrl
