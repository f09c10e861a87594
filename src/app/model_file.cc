#include "app/model_file.h"

#include <filesystem>

#include "base/error.h"
#include "models/registry.h"
#include "train/state.h"
#include "train/trainer.h"

namespace scrl {
std::string data_of_model(const std::string& path) {
  const std::string config = std::filesystem::path(path).parent_path() / "config.toml";
  if (std::filesystem::exists(config))
    if (const std::string data = read_config_file(config).data; !data.empty()) return data;
  fail(ErrorKind::kUsage, path, ": no config.toml beside it says which data it was trained on; ",
       "name the data set on the command line");
}

void save_model(const std::string& path, const Model& model, const RunConfig& config,
                const Dataset& data, Json meta) {
  meta["options"] = Json::object();
  for (const Setting& s : config.values()) meta["options"][s.key] = s.value;
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
  out.write(path);
}

LoadedModel load_model(const std::string& path, Dataset data) {
  const ContainerReader in(path, "model", kModelVersion);
  if (in.version() < kModelVersion)  // options it does not name had other defaults then
    fail(ErrorKind::kModelFile, path, ": an earlier version of scrl wrote it; train it again");
  LoadedModel out;
  std::vector<Setting> settings;
  std::string trained_on;
  std::vector<std::string> classes;
  Index features = 0;
  try {
    out.meta = Json::parse(in.text("meta"));
    for (const auto& [key, value] : out.meta.at("options").items())
      settings.push_back({key, value.get<std::string>(), "model file"});
    trained_on = out.meta.at("fingerprint").get<std::string>();
    classes = out.meta.at("classes").get<std::vector<std::string>>();
    features = out.meta.at("features").get<Index>();
  } catch (const Json::exception& e) {
    fail(ErrorKind::kModelFile, path, ": section meta: ", e.what());
  }
  try {
    out.config = std::make_unique<RunConfig>(settings, out.meta.value("dataset", ""));
  } catch (const Error& e) {
    fail(ErrorKind::kModelFile, path, ": ", e.what(), "; was it written by another version?");
  }
  // An option that is not named would take its value of today, not that of the training.
  for (const Setting& s : out.config->values())
    if (!out.meta["options"].contains(s.key))
      fail(ErrorKind::kModelFile, path, ": it does not say what ", s.key,
           " was, so another version of scrl wrote it; train it again");
  out.data = std::move(data);
  if (out.data.features.cols != features)
    fail(ErrorKind::kModelFile, path, ": the model knows ", features, " features, ",
         out.data.source, " has ", out.data.features.cols, "; they must be the same columns");
  out.same_data = fingerprint(out.data) == trained_on;
  const std::string& method = out.config->run.method;
  if (!out.same_data && !method_info(method).new_nodes)
    fail(ErrorKind::kUsage, path, ": ", method, " knows only the nodes it was trained on, and ",
         out.data.source, " is other data; train it on that, or use a method that takes new nodes ",
         "('scrl methods NAME' tells)");
  out.operands = prepare(out.data, out.config->graph, out.config->method->views());
  out.model = out.config->method->build({.X = out.operands.X,
                                         .A_t = out.operands.A_t.get(),
                                         .A_f = out.operands.A_f.get(),
                                         .edges = out.operands.edges.get(),
                                         .classes = static_cast<Index>(classes.size())});
  load_params(in, *out.model);
  evaluate(*out.model);
  return out;
}

}  // namespace scrl
