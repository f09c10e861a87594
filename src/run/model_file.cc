#include "run/model_file.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "base/error.h"
#include "config/json_file.h"
#include "io/paths.h"
#include "kernels/reduce.h"
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
                               .classes = classes,
                               .seed = kDrawNothing});
}

namespace {

// A configuration as a model file holds it.
std::unique_ptr<RunConfig> config_of(const JsonFields& meta, const std::string& path,
                                     const std::string& dataset) {
  const JsonFields values = meta.object("options");
  std::vector<Setting> settings;
  for (const auto& [key, value] : meta.value("options").items())
    settings.push_back({key, values.text(key.c_str()), "model file"});
  std::unique_ptr<RunConfig> out;
  try {
    out = std::make_unique<RunConfig>(settings, dataset);
  } catch (const Error& e) {
    fail(ErrorKind::kModelFile, path, ": ", e.what(), "; was it written by another version?");
  }
  // An option that is not named would take its value of today, not that of the training.
  for (const Setting& s : out->values())
    if (!values.has(s.key.c_str()))
      fail(ErrorKind::kModelFile, path, ": it does not say what ", s.key,
           " was, so another version of scrl wrote it; train it again");
  return out;
}

Json values_json(const RunConfig& config) {
  Json out = Json::object();
  for (const Setting& s : config.values()) out[s.key] = s.value;
  return out;
}

std::vector<std::pair<std::string, std::string>> settings_of(const RunConfig& config) {
  std::vector<std::pair<std::string, std::string>> out;
  for (const Setting& s : config.values()) out.emplace_back(s.key, s.value);
  return out;
}

struct Meta {
  explicit Meta(const ContainerReader& file)
      : name(file.name() + ": section meta"), json(parse_json(file.text("meta"), name)) {}
  JsonFields fields() const { return {json, name}; }

  std::string name;
  Json json;
};

// The members of auto, without their parameters.
std::vector<ModelPart> untrained_members(const ContainerReader& file, const Dataset& data,
                                         Index classes) {
  const std::string& path = file.name();
  OperandCache operands(data, 1, std::numeric_limits<Index>::max());
  std::vector<ModelPart> out;
  const Meta meta(file);
  for (const JsonFields& m : meta.fields().objects("members")) {
    ModelPart part{
        .name = m.text("name"), .weight = m.number("weight", 0), .config = config_of(m, path, "")};
    if (!part.config->method) m.refuse("options", "a member cannot be auto itself");
    if (part.weight == 0)
      fail(ErrorKind::kModelFile, path, ": member ", part.name, " has no weight above 0");
    part.operands = operands.get(part.config->graph, part.config->method->views());
    part.model = untrained_model(*part.operands, *part.config, classes);
    out.push_back(std::move(part));
  }
  if (out.empty()) fail(ErrorKind::kModelFile, path, ": the ensemble has no members");
  return out;
}

// One method, without its parameters.
ModelPart untrained_part(ModelHeader header, const ContainerReader& file, const Dataset& data) {
  const std::string& method = header.config->run.method;
  if (!method_info(method).new_nodes && fingerprint(data) != header.facts.fingerprint)
    fail(ErrorKind::kUsage, file.name(), ": ", method,
         " knows only the nodes it was trained on, and ", data.source,
         " is other data; train it on that, or use a method that takes new nodes ",
         "('scrl methods NAME' tells)");
  ModelPart out;
  out.config = std::move(header.config);
  out.operands =
      std::make_shared<Operands>(prepare(data, out.config->graph, out.config->method->views()));
  out.model =
      untrained_model(*out.operands, *out.config, static_cast<Index>(header.facts.classes.size()));
  return out;
}

void check_fits(const ModelHeader& header, const ContainerReader& file, const Dataset& data) {
  if (features_of(data).cols != header.facts.features)
    fail(ErrorKind::kModelFile, file.name(), ": the model knows ", header.facts.features,
         " features, ", data.source, " has ", features_of(data).cols,
         "; they must be the same columns");
  if (header.facts.classes != data.classes && header.facts.fingerprint == fingerprint(data))
    fail(ErrorKind::kModelFile, file.name(),
         ": its classes are not those of the data it was trained on");
}

ModelFacts facts_of(const JsonFields& meta) {
  ModelFacts out{.dataset = meta.text("dataset"),
                 .fingerprint = meta.text("fingerprint"),
                 .seed = meta.integer<int>("seed"),
                 .best_epoch = meta.integer<int>("best_epoch"),
                 .temperature = meta.number("temperature", 1e-6),
                 .features = meta.integer<Index>("features"),
                 .classes = meta.texts("classes")};
  if (out.classes.empty()) meta.refuse("classes", "expected one class or more, found none");
  return out;
}

}  // namespace

std::string data_of_model(const std::string& path) {
  const std::string config = std::filesystem::path(path).parent_path() / "config.toml";
  if (exists(config))
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
               {"temperature", model.temperature},
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
  meta["features"] = features_of(data).cols;
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
  const Meta meta(file);
  ModelHeader out;
  const JsonFields fields = meta.fields();
  out.config = config_of(fields, file.name(), fields.has("dataset") ? fields.text("dataset") : "");
  out.facts = facts_of(fields);
  return out;
}

std::vector<ModelPart> restore_parts(const ContainerReader& file, const Dataset& data) {
  ModelHeader header = read_header(file);
  check_fits(header, file, data);
  std::vector<ModelPart> out;
  if (header.config->method) {
    out.push_back(untrained_part(std::move(header), file, data));
  } else {
    out = untrained_members(file, data, static_cast<Index>(header.facts.classes.size()));
  }
  for (const ModelPart& part : out) {
    if (!part.name.empty())
      for (const auto& p : part.model->params) p->name = cat(part.name, ".", p->name);
    load_params(file, *part.model);
  }
  return out;
}

RestoredModel restore_model(const ContainerReader& file, const Dataset& data) {
  RestoredModel out{read_header(file)};
  check_fits(out, file, data);
  out.same_data = fingerprint(data) == out.facts.fingerprint;
  if (out.config->method) {
    ModelPart part = untrained_part(read_header(file), file, data);
    out.operands = std::move(part.operands);
    out.model = std::move(part.model);
  } else {
    std::vector<EnsembleMember> members;
    for (ModelPart& part :
         untrained_members(file, data, static_cast<Index>(out.facts.classes.size())))
      members.push_back({.name = std::move(part.name),
                         .weight = part.weight,
                         .settings = settings_of(*part.config),
                         .operands = std::move(part.operands),
                         .model = std::move(part.model)});
    out.model = std::make_unique<Ensemble>(std::move(members));
  }
  load_params(file, *out.model);
  out.model->calibrate(out.facts.temperature);
  out.model->evaluate();
  if (std::ranges::any_of(out.model->log_probs.value().packed(),
                          [](float v) { return std::isnan(v); }) ||
      !kernels::all_finite(out.model->embedding.value()))
    fail(ErrorKind::kModelFile, file.name(), ": on ", data.source,
         " its predictions or embeddings are beyond the range of float; scale the features");
  return out;
}

LoadedModel load_model(const std::string& path, Dataset data) {
  RestoredModel restored = restore_model(ContainerReader(path, "model", kModelVersion), data);
  return {std::move(restored), std::move(data)};
}

}  // namespace scrl
