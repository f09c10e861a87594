#include "app/compare_plan.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <set>

#include "base/error.h"
#include "base/hash.h"
#include "kernels/simd.h"
#include "models/profiles.h"
#include "models/registry.h"

namespace scrl {
namespace {

std::vector<std::string> parts_of(const std::string& option, const std::string& list) {
  std::vector<std::string> out;
  std::size_t begin = 0;
  while (begin <= list.size()) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    out.push_back(list.substr(begin, end - begin));
    if (out.back().empty())
      fail(ErrorKind::kUsage, option, ": expected a list as in a,b,c, got '", list, "'");
    if (std::count(out.begin(), out.end(), out.back()) > 1)
      fail(ErrorKind::kUsage, option, ": '", out.back(), "' is listed twice");
    begin = end + 1;
  }
  return out;
}

// "gcn.lr" -> "gcn", "lr"; without a point the method is empty. A dash and an underscore are the
// same, as in every key.
struct Key {
  std::string method, key;
};
Key split_key(const std::string& text) {
  const auto point = text.find('.');
  if (point == std::string::npos) return {"", text};
  std::string name = text.substr(0, point);
  for (const MethodInfo& m : method_list()) {
    std::string same = m.name;
    std::replace(same.begin(), same.end(), '-', '_');
    if (name == same) name = m.name;
  }
  return {name, text.substr(point + 1)};
}

bool is_one_of(std::string_view key, std::initializer_list<std::string_view> keys) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

bool knows(const std::string& method, const std::string& key) {
  return RunConfig({{"method", method, ""}}).options.has(key);
}

// The settings of `request` that are for `method`: those for all, then its own.
std::vector<Setting> settings_for(const CompareRequest& request, const std::string& method) {
  std::vector<Setting> all = {{"method", method, "compare"}}, own;
  for (const Setting& s : request.settings) {
    const Key k = split_key(s.key);
    if (k.method == method) own.push_back({k.key, s.value, s.origin});
    if (k.method.empty() && knows(method, k.key)) all.push_back(s);
  }
  all.insert(all.end(), own.begin(), own.end());
  return all;
}

void check_setting(const CompareRequest& request, const Setting& s) {
  const Key k = split_key(s.key);
  if (is_one_of(k.key, {"method", "labels", "protocol", "profile"}))
    fail(ErrorKind::kUsage, s.key, ": give it as --", k.key, ", for the whole comparison");
  if (!k.method.empty()) {
    method_info(k.method);
    if (std::find(request.methods.begin(), request.methods.end(), k.method) ==
        request.methods.end())
      fail(ErrorKind::kUsage, s.key, ": ", k.method, " is not among the methods compared");
    if (is_one_of(k.key, {"seed", "seeds"}))
      fail(ErrorKind::kUsage, s.key, ": all methods of a comparison have the same seeds; give --",
           k.key, " for all");
    return;
  }
  const auto& methods = request.methods;
  if (std::none_of(methods.begin(), methods.end(),
                   [&](const std::string& m) { return knows(m, k.key); }))
    RunConfig({{"method", methods.front(), ""}}).options.fail_unknown(k.key, s.origin);
}

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& t : texts) out += (out.empty() ? "" : ", ") + t;
  return out;
}

std::string file_text(std::string text) {
  for (char& c : text)
    if (!std::isalnum(static_cast<unsigned char>(c)) &&
        !is_one_of(std::string_view(&c, 1), {"-", "_", "."}))
      c = '_';
  return text;
}

}  // namespace

void finish_cell(CompareCell& cell, const std::string& program, const DataFacts& data) {
  const RunConfig config(cell.settings, data.name);
  cell.first_seed = config.train.seed;
  cell.epochs = config.train.epochs;
  cell.seeds = config.run.seeds;
  Json settings = Json::object();
  for (const Setting& s : config.values()) settings[s.key] = s.value;
  cell.key = {{"program", program},
              {"simd", kernels::simd_level()},
              {"dataset", data.name},
              {"fingerprint", data.fingerprint},
              {"settings", settings}};
  cell.stem = file_text(cat(data.name, "-", data.fingerprint.substr(0, 8), "-", cell.method, "-",
                            cell.labels, "-", cell.protocol));
  cell.name = cat(cell.stem, "-",
                  Hasher()
                      .text(cell.key.dump(-1, ' ', false, Json::error_handler_t::replace))
                      .hex()
                      .substr(0, 12));
}

namespace {

void note_partial_settings(const CompareRequest& request, std::vector<std::string>& notes) {
  std::set<std::string> told;
  for (const Setting& s : request.settings) {
    if (!split_key(s.key).method.empty() || !told.insert(s.key).second) continue;
    std::vector<std::string> with;
    for (const std::string& m : request.methods)
      if (knows(m, s.key)) with.push_back(m);
    if (with.size() < request.methods.size())
      notes.push_back(
          cat(s.key, " was set for ", joined(with), "; the others have no such setting"));
  }
}

}  // namespace

std::vector<std::string> method_names(const std::string& list) {
  std::vector<std::string> out;
  if (list == "all")
    for (const MethodInfo& m : method_list()) out.push_back(m.name);
  else
    out = parts_of("--method", list);
  for (const std::string& name : out) method_info(name);
  return out;
}

std::vector<int> label_rates(const std::string& list) {
  if (list.empty()) return {0};
  std::vector<int> out;
  for (const std::string& part : parts_of("--labels", list)) {
    int rate = 0;
    const char* const end = part.data() + part.size();
    const auto [rest, error] = std::from_chars(part.data(), end, rate);
    if (error != std::errc() || rest != end || rate < 0)
      fail(ErrorKind::kUsage, "--labels: expected whole numbers as in 20,40,60, got '", list, "'");
    out.push_back(rate);
  }
  return out;
}

std::vector<std::string> protocol_names(const std::string& list) {
  std::vector<std::string> out = parts_of("--protocol", list);
  for (const std::string& name : out)
    if (!is_one_of(name, {"val", "fixed", "oracle"}))
      fail(ErrorKind::kUsage, "--protocol: expected val, fixed or oracle, got '", name, "'");
  return out;
}

void check_request(const CompareRequest& request) {
  for (std::size_t i = 1; i < request.data.size(); ++i)
    if (std::count(request.data.begin(), request.data.begin() + static_cast<std::ptrdiff_t>(i),
                   request.data[i]) > 0)
      fail(ErrorKind::kUsage, "'", request.data[i], "' is listed twice");
  for (const Setting& s : request.settings) check_setting(request, s);
  for (const std::string& method : request.methods) RunConfig{settings_for(request, method)};
}

ComparePlan plan_comparison(const CompareRequest& request, std::vector<DataFacts> data) {
  ComparePlan plan{.data = std::move(data),
                   .methods = request.methods,
                   .protocols = request.protocols,
                   .labels = request.labels};
  note_partial_settings(request, plan.notes);
  std::vector<std::string> trainings;
  for (const std::string& p : request.protocols) {
    const std::string training = p == "oracle" ? "val" : p;
    if (std::find(trainings.begin(), trainings.end(), training) == trainings.end())
      trainings.push_back(training);
  }
  std::map<std::string, std::vector<std::string>> places;  // by the methods without settings there
  for (std::size_t d = 0; d < plan.data.size(); ++d)
    for (const int labels : plan.labels) {
      std::vector<std::string> unpublished;
      for (const std::string& method : plan.methods) {
        std::vector<Setting> settings = settings_for(request, method);
        if (labels > 0) settings.push_back({"labels", cat(labels), "compare"});
        if (request.paper) {
          try {
            paper_profile(method, plan.data[d].name, labels > 0 ? labels : 20);
            settings.push_back({"profile", "paper", "compare"});
          } catch (const Error&) {
            unpublished.push_back(method);
          }
        }
        for (const std::string& training : trainings) {
          CompareCell cell{.data = d,
                           .labels = labels,
                           .method = method,
                           .protocol = training,
                           .settings = settings};
          cell.settings.push_back({"protocol", training, "compare"});
          finish_cell(cell, request.program, plan.data[d]);
          plan.cells.push_back(std::move(cell));
        }
      }
      if (!unpublished.empty())
        places[joined(unpublished)].push_back(
            cat(plan.data[d].name, labels > 0 ? cat(" ", labels) : ""));
    }
  for (const auto& [methods, where] : places)
    plan.notes.push_back(cat("profile paper has no settings for ", methods, " on ", joined(where),
                             "; the default ones were used"));
  // Only now, since profiles and keys go by the name of the data.
  std::multiset<std::string> names;
  for (const DataFacts& d : plan.data) names.insert(d.name);
  for (DataFacts& d : plan.data)
    if (names.count(d.name) > 1) d.name = d.given;
  return plan;
}

int shown_rate(const ComparePlan& plan, std::size_t data, int labels) {
  return labels > 0 ? labels : plan.data[data].first_rate;
}

std::size_t cell_of(const ComparePlan& plan, std::size_t data, int labels,
                    const std::string& method, const std::string& protocol) {
  const std::string training = protocol == "oracle" ? "val" : protocol;
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    const CompareCell& c = plan.cells[i];
    if (c.data == data && c.labels == labels && c.method == method && c.protocol == training)
      return i;
  }
  fail(ErrorKind::kRun, "no cell for ", method, " under ", protocol);
}

}  // namespace scrl
