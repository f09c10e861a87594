#include "report/report_run.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/error.h"
#include "eval/metrics.h"
#include "graph/adjacency.h"
#include "io/paths.h"
#include "io/regular_file.h"
#include "kernels/rows.h"
#include "run/event_log.h"
#include "run/model_file.h"
#include "run/run_folder.h"
#include "train/prepare.h"
#include "train/split.h"

namespace scrl {
namespace {

constexpr Index kMaxConfig = Index{1} << 20;
constexpr std::size_t kPoints = 600;  // per curve; a screen does not show more

void add_point(const LoggedEpoch& e, Curve& c) {
  c.epoch.push_back(static_cast<float>(e.epoch));
  c.loss.push_back(static_cast<float>(e.loss));
  c.val_loss.push_back(static_cast<float>(e.val_loss));
  c.train.push_back(static_cast<float>(e.train_accuracy));
  c.val.push_back(static_cast<float>(e.val_accuracy));
  c.test.push_back(static_cast<float>(e.test_accuracy));
  c.agreement.push_back(static_cast<float>(e.agreement));
}

// Keeps every s-th point and the last.
void thin(Curve& c) {
  const std::size_t n = c.epoch.size(), step = (n + kPoints - 1) / kPoints;
  if (step < 2) return;
  for (auto* v : {&c.epoch, &c.loss, &c.val_loss, &c.train, &c.val, &c.test, &c.agreement}) {
    std::vector<float> kept;
    for (std::size_t i = 0; i < n; i += step) kept.push_back((*v)[i]);
    if ((n - 1) % step != 0) kept.push_back(v->back());
    *v = std::move(kept);
  }
}

// Of a portfolio, the member with the largest weight in the first seed; empty: one method.
std::string heaviest_member(const TrainResult& r) {
  const std::vector<MemberScore>& members = r.seeds.front().members;
  const auto heaviest = std::ranges::max_element(members, {}, &MemberScore::weight);
  return heaviest == members.end() ? "" : heaviest->name;
}

std::vector<Curve> read_curves(const std::string& path, const TrainResult& result) {
  std::vector<Curve> out;
  for (const SeedResult& s : result.seeds)
    out.push_back({.seed = s.seed, .best_epoch = s.best_epoch});
  const std::string leader = heaviest_member(result);
  for (const LoggedEpoch& e : read_epochs(path)) {
    if ((!e.member.empty() && e.member != leader) || e.fold >= 0) continue;
    for (Curve& c : out)
      if (c.seed == e.seed) add_point(e, c);
  }
  for (Curve& c : out) thin(c);
  return out;
}

std::shared_ptr<const ReportData> share_data(const LoadedModel& m,
                                             const std::vector<ReportRun>& earlier) {
  const GraphOptions& g = m.config->graph;
  // What only the products of a model depend on.
  const std::string key =
      cat(fingerprint(m.data), " ", key_of(g, {"precision", "adjacency", "lazy", "feature_norm"}));
  for (const ReportRun& r : earlier)
    if (r.data->key == key) return r.data;
  auto out = std::make_shared<ReportData>();
  out->key = key;
  out->data = m.data;
  out->topology = adjacency(m.data.nodes, m.data.edges, g.dup);
  if (m.data.features.nnz() > 0) out->features = feature_graph(m.data, g);
  out->facts = inspect(m.data, g, out->features);
  out->data.features = {};  // the report does not need them any more
  return out;
}

void set_roles(const Split& split, ReportRun& run) {
  run.roles.assign(static_cast<std::size_t>(run.data->data.nodes), Role::kNone);
  for (const NodeId i : split.train) run.roles[i] = Role::kTrain;
  for (const NodeId i : split.val) run.roles[i] = Role::kVal;
  for (const NodeId i : split.test) run.roles[i] = Role::kTest;
  run.test = split.test;
}

std::string shell_word(const std::string& text) {
  const bool plain = !text.empty() && text.find_first_not_of(
                                          "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                          "0123456789_-+=:,./@%") == std::string::npos;
  if (plain) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

std::string repeat_command(const RunConfig& config, const std::string& data,
                           const std::string& dataset) {
  std::string out = cat("scrl train ", shell_word(data), " -m ", shell_word(config.run.method));
  std::vector<Setting> start = {{"method", config.run.method, ""},
                                {"profile", name_of(config.run.profile), ""}};
  if (config.run.profile != Profile::kDefault) {
    out += cat(" --profile ", name_of(config.run.profile));
    start.push_back({"labels", cat(config.split.labels), ""});  // the profile depends on it
    out += cat(" --labels ", config.split.labels);
  }
  const RunConfig base(start, dataset);
  for (const OptionSet::Entry& e : config.options.entries()) {
    const OptionSet::Entry* before = base.options.find(e.key);
    const std::string value = config.options.value_text(e);
    if (before && base.options.value_text(*before) == value) continue;
    std::string key = e.key;
    std::replace(key.begin(), key.end(), '_', '-');
    out += cat(" --", key, " ", shell_word(value));
  }
  return out;
}

ReportRun gather_run(const std::string& folder, const ReportRequest& request,
                     const std::vector<ReportRun>& earlier) {
  namespace fs = std::filesystem;
  const std::string config_path = folder + "/config.toml";
  ReportRun run;
  std::error_code unknown;
  run.name = fs::weakly_canonical(folder, unknown).filename();
  if (!exists(config_path))
    fail(ErrorKind::kUsage, config_path, ": no such file; expected the folder of a finished run");
  run.settings = read_file(config_path, kMaxConfig, ErrorKind::kModelFile);
  run.result = read_train_result(folder + "/metrics.json");
  const ConfigFile config = read_config_file(config_path);
  const std::string source = request.data.empty() ? config.data : request.data;
  LoadedModel m = load_model(model_path(folder), load_dataset(source));
  if (!m.same_data)
    fail(ErrorKind::kData, source, ": is not the data that ", folder,
         " was trained on; --data names it if it has moved");
  run.method = m.config->run.method;
  run.seed = m.facts.seed;
  run.best_epoch = m.facts.best_epoch;
  run.curves = read_curves(folder + "/events.jsonl", run.result);
  run.command = repeat_command(RunConfig(config.settings, m.data.name), config.data, m.data.name);
  run.data = share_data(m, earlier);
  set_roles(choose_split(m.data, m.config->split, m.config->train.protocol == Protocol::kVal,
                         static_cast<std::uint64_t>(run.seed)),
            run);
  run.log_probs = m.model->log_probs.value();
  kernels::argmax_rows(run.log_probs, run.predicted);
  const Index classes = m.data.num_classes();
  run.counts = confusion(run.predicted, m.data.labels, run.test, classes);
  run.classes = class_scores(run.counts, classes);
  run.calibration = calibration(run.log_probs, m.data.labels, run.test, kCalibrationBins);
  run.views = view_facts(*m.model, run.predicted);
  run.prototypes_are_classes = run.views && m.config->run.method != "scrl-paper";
  run.frames = layout_frames(list_snapshots(folder), m.model->embedding.value(), run.best_epoch,
                             request.layout, [&](std::size_t done, std::size_t all) {
                               if (request.frame) request.frame(run.name, done, all);
                             });
  return run;
}

}  // namespace scrl
