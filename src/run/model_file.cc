#include "run/model_file.h"

#include <cmath>
#include <filesystem>
#include <limits>

#include "base/error.h"
#include "config/json.h"
#include "models/ensemble.h"
#include "models/registry.h"
#include "train/operand_cache.h"
#include "train/state.h"
#include "train/trainer.h"

namespace scrl {

std::unique_ptr<Model> untrained_model(const Operands& operands, const RunConfig& config,
                                       Index classes) {
  return config.method->build({.X = operands.X,
                               .A_t = operands.A_t.get(),
                               .A_f = operands.A_f.get(),
                               .edges = operands.edges.get(),
                               .classes = classes});
}

namespace {

// A configuration as a model file holds it.
std::unique_ptr<RunConfig> config_of(const Json& values, const std::string& path,
                                     const std::string& dataset) {
  std::vector<Setting> settings;
  for (const auto& [key, value] : values.items())
    settings.push_back({key, value.get<std::string>(), "model file"});
  std::unique_ptr<RunConfig> out;
  try {
    out = std::make_unique<RunConfig>(settings, dataset);
  } catch (const Error& e) {
    fail(ErrorKind::kModelFile, path, ": ", e.what(), "; was it written by another version?");
  }
  // An option that is not named would take its value of today, not that of the training.
  for (const Setting& s : out->values())
    if (!values.contains(s.key))
      fail(ErrorKind::kModelFile, path, ": it does not say what ", s.key,
           " was, so another version of scrl wrote it; train it again");
  return out;
}

Json values_json(const RunConfig& config) {
  Json out = Json::object();
  for (const Setting& s : config.values()) out[s.key] = s.value;
  return out;
}

// The ensemble of a file whose meta has `members`.
std::unique_ptr<Model> untrained_ensemble(const Json& meta, const Dataset& data, Index classes,
                                          const std::string& path) {
  OperandCache operands(data, 1, std::numeric_limits<Index>::max());
  std::vector<EnsembleMember> members;
  for (const Json& m : meta.at("members")) {
    const auto config = config_of(m.at("options"), path, "");
    auto own = operands.get(config->graph, config->method->views());
    auto model = untrained_model(*own, *config, classes);
    EnsembleMember member = {.name = m.at("name").get<std::string>(),
                             .weight = m.at("weight").get<double>()};
    if (!(member.weight > 0) || !std::isfinite(member.weight))
      fail(ErrorKind::kModelFile, path, ": member ", member.name, " has no weight above 0");
    member.operands = std::move(own);
    member.model = std::move(model);
    members.push_back(std::move(member));
  }
  if (members.empty()) fail(ErrorKind::kModelFile, path, ": the ensemble has no members");
  return std::make_unique<Ensemble>(std::move(members));
}

ModelFacts facts_of(const Json& meta) {
  return {.dataset = meta.at("dataset").get<std::string>(),
          .fingerprint = meta.at("fingerprint").get<std::string>(),
          .seed = meta.at("seed").get<int>(),
          .best_epoch = meta.at("best_epoch").get<int>(),
          .features = meta.at("features").get<Index>(),
          .classes = meta.at("classes").get<std::vector<std::string>>()};
}

}  // namespace

std::string data_of_model(const std::string& path) {
  const std::string config = std::filesystem::path(path).parent_path() / "config.toml";
  if (std::filesystem::exists(config))
    if (const std::string data = read_config_file(config).data; !data.empty()) return data;
  fail(ErrorKind::kUsage, path, ": no config.toml beside it says which data it was trained on; ",
       "name the data set on the command line");
}

ContainerWriter model_file(const Model& model, const RunConfig& config, const Dataset& data,
                           int seed, int best_epoch) {
  Json meta = {{"format", kModelVersion},
               {"method", config.run.method},
               {"dataset", data.name},
               {"protocol", name_of(config.train.protocol)},
               {"seed", seed},
               {"best_epoch", best_epoch},
               {"options", values_json(config)}};
  if (const auto* several = dynamic_cast<const Ensemble*>(&model)) {
    meta["members"] = Json::array();
    for (const EnsembleMember& m : several->members()) {
      Json options = Json::object();
      for (const auto& [key, value] : m.settings) options[key] = value;
      meta["members"].push_back({{"name", m.name}, {"weight", m.weight}, {"options", options}});
    }
  }
  meta["fingerprint"] = fingerprint(data);
  meta["nodes"] = data.nodes;
  meta["features"] = data.features.cols;
  meta["classes"] = data.classes;
  std::string ids;
  for (const std::string& id : data.ids) ids += id + "\n";

  ContainerWriter out("model", kModelVersion);
  out.add_text("meta", meta.dump());
  out.add_text("ids", ids);
  save_params(model, out);
  return out;
}

ModelHeader read_header(const ContainerReader& file) {
  if (file.version() < kModelVersion)  // options it does not name had other defaults then
    fail(ErrorKind::kModelFile, file.name(),
         ": an earlier version of scrl wrote it; train it again");
  try {
    const Json meta = Json::parse(file.text("meta"));
    ModelHeader out;
    out.config = config_of(meta.at("options"), file.name(), meta.value("dataset", ""));
    out.facts = facts_of(meta);
    return out;
  } catch (const Json::exception& e) {
    fail(ErrorKind::kModelFile, file.name(), ": section meta: ", e.what());
  }
}

RestoredModel restore_model(const ContainerReader& file, const Dataset& data) {
  const std::string& path = file.name();
  RestoredModel out{read_header(file)};
  const Index classes = static_cast<Index>(out.facts.classes.size());
  if (data.features.cols != out.facts.features)
    fail(ErrorKind::kModelFile, path, ": the model knows ", out.facts.features, " features, ",
         data.source, " has ", data.features.cols, "; they must be the same columns");
  out.same_data = fingerprint(data) == out.facts.fingerprint;
  if (const std::string& method = out.config->run.method; method == kAuto) {
    try {
      out.model = untrained_ensemble(Json::parse(file.text("meta")), data, classes, path);
    } catch (const Json::exception& e) {
      fail(ErrorKind::kModelFile, path, ": section meta: ", e.what());
    }
  } else {
    if (!out.same_data && !method_info(method).new_nodes)
      fail(ErrorKind::kUsage, path, ": ", method, " knows only the nodes it was trained on, and ",
           data.source, " is other data; train it on that, or use a method that takes new nodes ",
           "('scrl methods NAME' tells)");
    out.operands =
        std::make_shared<Operands>(prepare(data, out.config->graph, out.config->method->views()));
    out.model = untrained_model(*out.operands, *out.config, classes);
  }
  load_params(file, *out.model);
  out.model->evaluate();
  return out;
}

LoadedModel load_model(const std::string& path, Dataset data) {
  RestoredModel restored = restore_model(ContainerReader(path, "model", kModelVersion), data);
  return {std::move(restored), std::move(data)};
}

}  // namespace scrl
