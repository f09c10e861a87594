#include "experiments/compare_request.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>

#include "base/error.h"
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

}  // namespace

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& t : texts) out += (out.empty() ? "" : ", ") + t;
  return out;
}

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

std::vector<std::string> notes_on_settings(const CompareRequest& request) {
  std::vector<std::string> notes;
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
  return notes;
}

std::vector<Variant> method_rows(const std::vector<std::string>& methods, Profile profile) {
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
  if (list == "all") {
    out.push_back(kAuto);
    for (const MethodInfo& m : method_list()) out.push_back(m.name);
  } else {
    out = list_of("--method", list);
  }
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

std::vector<Protocol> protocols_named(const std::string& list) {
  std::vector<Protocol> out;
  for (const std::string& name : list_of("--protocol", list)) {
    const std::optional<Protocol> p = value_named<Protocol>(name);
    if (!p) fail(ErrorKind::kUsage, "--protocol: expected val, fixed or oracle, got '", name, "'");
    out.push_back(*p);
  }
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

}  // namespace scrl
