#include "study/compare_plan.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <set>

#include "base/error.h"
#include "base/hash.h"
#include "base/parallel.h"
#include "kernels/simd.h"
#include "models/profiles.h"
#include "models/registry.h"

namespace scrl {
namespace {

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

// The settings of `request` that are for a row: those for all, its method's, its own.
std::vector<Setting> settings_for(const CompareRequest& request, const Variant& row) {
  std::vector<Setting> all = {{"method", row.method, "compare"}}, own;
  for (const Setting& s : request.settings) {
    const Key k = split_key(s.key);
    if (k.method == row.method) own.push_back({k.key, s.value, s.origin});
    if (k.method.empty() && knows(row.method, k.key)) all.push_back(s);
  }
  all.insert(all.end(), own.begin(), own.end());
  all.insert(all.end(), row.settings.begin(), row.settings.end());
  return all;
}

void check_setting(const std::vector<std::string>& methods, const Setting& s) {
  const Key k = split_key(s.key);
  if (is_one_of(k.key, {"method", "labels", "protocol", "profile"}))
    fail(ErrorKind::kUsage, s.key, ": give it as --", k.key, ", for the whole comparison");
  if (!k.method.empty()) {
    method_info(k.method);
    if (!applies(s, methods))
      fail(ErrorKind::kUsage, s.key, ": ", k.method, " is not among the methods compared");
    if (is_one_of(k.key, {"seed", "seeds", "split"}))
      fail(ErrorKind::kUsage, s.key, ": all methods of a comparison have the same ", k.key,
           "; give --", k.key, " for all");
    return;
  }
  if (!applies(s, methods))
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

std::string short_hash(const Json& key) {
  return Hasher()
      .text(key.dump(-1, ' ', false, Json::error_handler_t::replace))
      .hex()
      .substr(0, 12);
}

// The name of what a method without labels learns, whatever nodes its classifier is fitted to.
std::string embedding_name(const CompareCell& cell, const DataFacts& data) {
  Json key = cell.key;
  for (const char* of_labels : {"split", "labels", "protocol", "val_nodes", "test_nodes",
                                "val_share", "test_share", "seed", "seeds"})
    key["settings"].erase(of_labels);
  return file_text(cat(data.name, "-", cell.method, "-", short_hash(key)));
}

}  // namespace

void finish_cell(CompareCell& cell, const std::string& program, const DataFacts& data,
                 int bench_epochs) {
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
  if (bench_epochs > 0) {
    cell.key["bench_epochs"] = bench_epochs;
    cell.key["threads"] = threads();
  }
  if (cell.maps) cell.key["maps"] = *cell.maps;
  cell.stem = file_text(cat(data.name, "-", data.fingerprint.substr(0, 8), "-", cell.method, "-",
                            cell.labels, "-", bench_epochs > 0 ? "bench" : cell.protocol));
  cell.name = cat(cell.stem, "-", short_hash(cell.key));
  if (bench_epochs == 0 && !method_info(cell.method).labels)
    cell.embedding = embedding_name(cell, data);
}

namespace {

// What was set by hand, so that a table never looks like one made with other settings.
void note_settings(const CompareRequest& request, std::vector<std::string>& notes) {
  const std::vector<std::string> methods = methods_of(request.rows);
  std::set<std::string> told;
  for (const Setting& s : request.settings) {
    const bool in_headings = s.key == "seeds" || s.key == "labels" || s.key == "protocol";
    if (in_headings || !told.insert(s.key).second) continue;
    const auto last = std::find_if(request.settings.rbegin(), request.settings.rend(),
                                   [&](const Setting& other) { return other.key == s.key; });
    std::vector<std::string> with;
    for (const std::string& m : methods)
      if (knows(m, s.key)) with.push_back(m);
    const bool partial = split_key(s.key).method.empty() && with.size() < methods.size();
    notes.push_back(cat(
        "set by hand: ", s.key, " = ", last->value,
        partial ? cat(" for ", joined(with), "; the others have no such setting") : std::string()));
  }
}

}  // namespace

std::vector<Variant> method_rows(const std::vector<std::string>& methods,
                                 const std::string& profile) {
  std::vector<Variant> rows;
  rows.reserve(methods.size());
  for (const std::string& m : methods)
    rows.push_back({.label = m, .method = m, .profile = profile});
  return rows;
}

std::vector<std::string> methods_of(const std::vector<Variant>& rows) {
  std::vector<std::string> out;
  for (const Variant& r : rows)
    if (std::find(out.begin(), out.end(), r.method) == out.end()) out.push_back(r.method);
  return out;
}

bool applies(const Setting& setting, const std::vector<std::string>& methods) {
  const Key k = split_key(setting.key);
  return std::any_of(methods.begin(), methods.end(), [&](const std::string& m) {
    return k.method.empty() ? knows(m, k.key) : m == k.method;
  });
}

std::vector<std::string> list_of(const std::string& option, const std::string& list) {
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

std::vector<std::string> method_names(const std::string& list) {
  std::vector<std::string> out;
  if (list == "all")
    for (const MethodInfo& m : method_list()) out.push_back(m.name);
  else
    out = list_of("--method", list);
  for (const std::string& name : out) method_info(name);
  return out;
}

std::vector<int> label_rates(const std::string& list) {
  if (list.empty()) return {0};
  std::vector<int> out;
  for (const std::string& part : list_of("--labels", list)) {
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
  std::vector<std::string> out = list_of("--protocol", list);
  for (const std::string& name : out)
    if (!is_one_of(name, {"val", "fixed", "oracle"}))
      fail(ErrorKind::kUsage, "--protocol: expected val, fixed or oracle, got '", name, "'");
  return out;
}

void check_request(const CompareRequest& request) {
  for (std::size_t i = 1; i < request.data.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (request.data[j].given == request.data[i].given)
        fail(ErrorKind::kUsage, "'", request.data[i].given, "' is listed twice");
  const std::vector<std::string> methods = methods_of(request.rows);
  for (const Setting& s : request.settings) check_setting(methods, s);
  for (const Variant& row : request.rows) RunConfig{settings_for(request, row)};
}

ComparePlan plan_comparison(const CompareRequest& request, std::vector<DataFacts> data) {
  ComparePlan plan{.table = request.table,
                   .title = request.title,
                   .data = std::move(data),
                   .rows = request.rows,
                   .protocols = request.protocols,
                   .bench_epochs = request.bench_epochs,
                   .maps = request.maps,
                   .gain = request.gain,
                   .notes = request.notes};
  for (const DataRequest& d : request.data)
    if (!d.note.empty()) plan.notes.push_back(d.note);
  note_settings(request, plan.notes);
  std::vector<std::string> trainings;
  for (const std::string& p : request.protocols) {
    const std::string training = p == "oracle" ? "val" : p;
    if (std::find(trainings.begin(), trainings.end(), training) == trainings.end())
      trainings.push_back(training);
  }
  std::map<std::string, std::vector<std::string>> places;  // by what is missing there
  for (std::size_t d = 0; d < plan.data.size(); ++d) {
    if (plan.data[d].labels.empty()) plan.data[d].labels = request.labels;
    for (const int labels : plan.data[d].labels) {
      std::map<std::string, std::vector<std::string>> unpublished;  // methods by profile
      for (std::size_t r = 0; r < plan.rows.size(); ++r) {
        const std::string& method = plan.rows[r].method;
        std::vector<Setting> settings = settings_for(request, plan.rows[r]);
        if (labels > 0) settings.push_back({"labels", cat(labels), "compare"});
        if (const std::string& profile = plan.rows[r].profile; profile != "default") {
          try {
            profile_values(profile, method, plan.data[d].name, labels > 0 ? labels : 20);
            settings.push_back({"profile", profile, "compare"});
          } catch (const Error&) {
            auto& methods = unpublished[profile];
            if (std::count(methods.begin(), methods.end(), method) == 0) methods.push_back(method);
          }
        }
        for (const std::string& training : trainings) {
          CompareCell cell{.data = d,
                           .labels = labels,
                           .row = r,
                           .method = method,
                           .protocol = training,
                           .settings = settings};
          cell.settings.push_back({"protocol", training, "compare"});
          if (request.maps) {
            cell.maps = request.data[d].snapshots;
            cell.settings.push_back({"snapshots", *cell.maps, "compare"});
          }
          finish_cell(cell, request.program, plan.data[d], request.bench_epochs);
          plan.cells.push_back(std::move(cell));
        }
      }
      for (const auto& [profile, methods] : unpublished)
        places[cat(profile, " has no settings for ", joined(methods))].push_back(
            cat(plan.data[d].name, labels > 0 ? cat(" ", labels) : ""));
    }
  }
  for (const auto& [missing, where] : places)
    plan.notes.push_back(
        cat("profile ", missing, " on ", joined(where), "; the default ones were used"));
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

std::size_t cell_of(const ComparePlan& plan, std::size_t data, int labels, std::size_t row,
                    const std::string& protocol) {
  const std::string training = protocol == "oracle" ? "val" : protocol;
  for (std::size_t i = 0; i < plan.cells.size(); ++i) {
    const CompareCell& c = plan.cells[i];
    if (c.data == data && c.labels == labels && c.row == row && c.protocol == training) return i;
  }
  fail(ErrorKind::kRun, "no cell for ", plan.rows[row].label, " under ", protocol);
}

}  // namespace scrl
