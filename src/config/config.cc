#include "config/config.h"

#include "base/error.h"
#include "config/snapshots.h"
#include "data/data_name.h"
#include "data/knn_file.h"
#include "io/paths.h"
#include "io/run_mark.h"
#include "io/toml.h"
#include "io/utf8.h"
#include "models/registry.h"
#include "paper/published_settings.h"
#include "train/searched_features.h"

namespace scrl {
namespace {

void bind(OptionSet& set, RunOptions& o) {
  set.add("method", o.method, any_text(), "what to train; 'scrl methods' lists them", 'm');
  set.add("profile", o.profile, "starting values: ours, or those of the papers where known");
  set.add("seeds", o.seeds, between(1, 10000), "repeat with seed, seed+1, ... and report the mean");
  set.add("calibration", o.calibration,
          "temperature of the probabilities, learned from labels that the protocol allows");
  set.add("checkpoint_secs", o.checkpoint_secs, at_least(0),
          "seconds between checkpoints; 0: after every epoch");
  set.add(
      "snapshots", o.snapshots, any_text(),
      "epochs whose embeddings are kept, for reports: 0,10,20 or every:N; 0 is before the first");
}

// The last value given for a key that other choices depend on.
std::string last_value(const std::vector<Setting>& settings, std::string_view key,
                       std::string fallback) {
  for (const Setting& s : settings)
    if (s.key == key) fallback = s.value;
  return fallback;
}

// What no TOML file may hold, even in a comment, becomes '?'.
std::string toml_comment(const std::string& text) {
  const bool utf8 = is_utf8(text);
  std::string out;
  for (const char c : text) out += is_control(c) || (!utf8 && (c & 0x80) != 0) ? '?' : c;
  return out;
}

std::string toml_text(const std::string& text) {
  const bool utf8 = is_utf8(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (is_control(c)) {
      out += "\\u00";
      out += "0123456789ABCDEF"[c >> 4];
      out += "0123456789ABCDEF"[c & 15];
    } else {
      out += !utf8 && (c & 0x80) != 0 ? '?' : c;
    }
  }
  return out + "\"";
}

std::string toml_value(const OptionSet& set, const OptionSet::Entry& e) {
  std::string text = set.value_text(e);
  if (set.is_auto(e.key) || e.is_text()) return toml_text(text);
  // TOML wants a digit on both sides of the point and an exponent without one is a float too.
  if ((std::holds_alternative<std::optional<double>*>(e.field) ||
       std::holds_alternative<double*>(e.field)) &&
      text.find_first_of(".e") == std::string::npos)
    return text + ".0";
  return text;
}

}  // namespace

RunConfig::RunConfig(const std::vector<Setting>& settings, std::string_view dataset) {
  const std::string name = last_value(settings, "method", run.method);
  bind(options, run);
  bind(options, split);
  if (name == kAuto) {
    graph = RunConfig({{"method", "scrl", ""}}).graph;  // the one that is shown to people
    bind_protocol(options, train);
    bind(options, portfolio);
    bind_search(options, graph);
  } else {
    method = make_method(name);
    bind(options, train);
    bind(options, graph);
    method->bind(options);
    for (const auto& [key, value] : method_info(name).profile)
      options.set(key, value, cat("profile of ", name));
    for (const std::string& key : method_info(name).fixed) options.fix(key);
  }
  options.keep_as_defaults();
  if (const std::string profile = last_value(settings, "profile", "default");
      profile != "default") {
    const std::string labels = last_value(settings, "labels", "0");
    for (const auto& [key, value] : published_values(name, dataset, std::atoi(labels.c_str())))
      options.set(key, value, cat("profile ", profile));
  }
  for (const Setting& s : settings) options.set(s.key, s.value, s.origin);
  (void)SnapshotEpochs(run.snapshots);  // a wrong list is reported here
}

void RunConfig::resolve(const Dataset& data) {
  if (options.is_auto("binarize"))
    options.resolve("binarize", are_counts(features_of(data)) ? "true" : "false");
  prefer_own_graph(options, data);
  if (method) return;
  members.clear();
  for (const PortfolioMember& m : chosen_members(portfolio.members)) {
    if (m.edges && edge_count(data) == 0) continue;
    auto own = std::make_unique<RunConfig>(member_settings(m, values()), data.name);
    own->resolve(data);
    members.push_back({m.name, std::move(own)});
  }
  if (members.empty())
    fail(ErrorKind::kUsage, data.source, ": it has no edges, and every one of the members ",
         portfolio.members, " needs some; add mlp or knn-gcn");
}

void prefer_own_graph(OptionSet& options, const Dataset& data) {
  if (!has_own_graph(data)) return;
  for (const OptionSet::Entry& e : options.entries()) {
    const bool chosen = e.origin != "default" && !e.origin.starts_with("profile of");
    if (e.key == "knn" && !chosen) return options.set("knn", "file", "the data has its own graph");
  }
}

std::string RunConfig::to_toml() const {
  std::string out;
  for (const OptionSet::Entry& e : options.entries()) {
    std::string line = cat(e.key, " = ", e.resolved ? "\"auto\"" : toml_value(options, e));
    line.resize(std::max<std::size_t>(line.size() + 2, 32), ' ');
    const std::string value =
        e.resolved ? cat("; ", options.value_text(e), " on this graph") : std::string();
    out += cat(line, "# ", toml_comment(e.origin), value, "\n");
  }
  return out;
}

std::vector<Setting> RunConfig::values() const {
  std::vector<Setting> out;
  for (const OptionSet::Entry& e : options.entries())
    if (e.key != "checkpoint_secs" && e.key != "snapshots")
      out.push_back({e.key, options.value_text(e), e.origin});
  return out;
}

std::vector<Setting> without_profile(std::vector<Setting> settings) {
  std::erase_if(settings,
                [](const Setting& s) { return s.key == "profile" && s.value != "default"; });
  return settings;
}

std::string config_text(const RunConfig& config, const std::string& data,
                        const std::string& fingerprint) {
  return cat(kRunMark, "data = ", toml_text(data), "\nfingerprint = ", toml_text(fingerprint), "\n",
             config.to_toml());
}

std::string data_reference(const std::string& data) {
  // The folder of a run is no data set, though it may have the name of one.
  DataName name = data_name(data);
  if (exists(name.place) && !is_run_folder(name.place)) name.place = absolute_path(name.place);
  if (!name.knn_file.empty()) name.knn_file = absolute_path(name.knn_file);
  return to_text(name);
}

ConfigFile read_config_file(const std::string& path) {
  if (!is_file(path)) fail(ErrorKind::kUsage, path, ": no such file; --config names a TOML file");
  ConfigFile out;
  const toml::table table = read_toml(path);
  for (const auto& [key, node] : table) {
    const std::string name(key.str());
    const std::string where = cat(path, ":", static_cast<long>(node.source().begin.line));
    const std::optional<std::string> value = scalar_text(node);
    if (!value)
      fail(ErrorKind::kUsage, where, ": ", name,
           ": expected a text, number or boolean, found a nested value");
    if (name == "data")
      out.data = *value;
    else if (name == "fingerprint")
      out.fingerprint = *value;
    else
      out.settings.push_back({name, *value, where});
  }
  return out;
}

}  // namespace scrl
