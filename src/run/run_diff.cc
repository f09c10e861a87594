#include "run/run_diff.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>

#include "base/error.h"
#include "io/fields.h"
#include "io/paths.h"
#include "io/run_mark.h"
#include "run/event_log.h"
#include "run/recorded_settings.h"
#include "run/results.h"

namespace scrl {
namespace {

constexpr std::size_t kExamples = 5;

// What differs between two lists of named values, in the order of the first.
std::vector<Difference> differences(const std::vector<Setting>& a, const std::vector<Setting>& b) {
  std::vector<Difference> out;
  const auto find = [](const std::vector<Setting>& in, const std::string& key) {
    return std::ranges::find(in, key, &Setting::key);
  };
  for (const Setting& s : a) {
    const auto other = find(b, s.key);
    if (other == b.end())
      out.push_back({s.key, s.value, "", s.origin, ""});
    else if (other->value != s.value)
      out.push_back({s.key, s.value, other->value, s.origin, other->origin});
  }
  for (const Setting& s : b)
    if (find(a, s.key) == a.end()) out.push_back({s.key, "", s.value, "", s.origin});
  return out;
}

// Takes the values with these keys out of a list.
std::vector<Setting> take(std::vector<Setting>& from, std::initializer_list<const char*> keys) {
  std::vector<Setting> out;
  std::erase_if(from, [&](const Setting& s) {
    const bool wanted = std::ranges::any_of(keys, [&](const char* key) { return s.key == key; });
    if (wanted) out.push_back(s);
    return wanted;
  });
  return out;
}

std::map<std::string, std::string> read_parts(const std::string& path) {
  std::map<std::string, std::string> part_of;
  if (!exists(path)) return part_of;
  LineReader reader(open_file(path));
  Fields fields(Separator::kComma);
  for (bool header = true; reader.next(); header = false) {
    const auto& found = fields.split(reader);
    if (found.size() != 2) reader.fail("expected id,part, found ", found.size(), " fields");
    check_name(found[0], "id", reader, reader.line_number());
    check_name(found[1], "part", reader, reader.line_number());
    if (!header) part_of.emplace(found[0], found[1]);
  }
  return part_of;
}

void diff_split(const std::string& a, const std::string& b, RunDiff& out) {
  const auto in_a = read_parts(a), in_b = read_parts(b);
  const auto part = [](const auto& parts, const std::string& id) {
    const auto at = parts.find(id);
    return at == parts.end() ? std::string() : at->second;
  };
  const auto compare = [&](const std::string& id) {
    const Difference d = {id, part(in_a, id), part(in_b, id)};
    if (d.a == d.b) return;
    if (++out.split_nodes <= static_cast<Index>(kExamples)) out.split.push_back(d);
  };
  for (const auto& [id, ignored] : in_a) compare(id);
  for (const auto& [id, ignored] : in_b)
    if (!in_a.contains(id)) compare(id);
}

// The figures of a result, by name, in the order in which a person asks for them.
std::vector<Setting> figures(const std::string& run) {
  const std::string file = run + "/metrics.json";
  if (!exists(file)) return {{"finished", "no", ""}};
  std::vector<Setting> out;
  const auto add = [&](const std::string& key, const auto& value) {
    out.push_back({key, cat(value), ""});
  };
  const TrainResult r = read_train_result(file);
  add("finished", r.interrupted ? "interrupted" : "yes");
  add("result_hash", r.result_hash());
  add("accuracy", r.accuracy().mean);
  add("macro_f1", r.macro_f1().mean);
  for (const SeedResult& s : r.seeds) {
    const std::string seed = cat("seed ", s.seed, ": ");
    add(seed + "hash", s.hash);
    add(seed + "test accuracy", s.test.accuracy);
    add(seed + "validation accuracy", s.val.accuracy);
    add(seed + "epochs", s.epochs);
    add(seed + "best epoch", s.best_epoch);
    add(seed + "stopped because", s.stopped_because);
    if (s.calibration) add(seed + "temperature", s.calibration->temperature);
    for (const MemberScore& m : s.members) {
      const std::string member = cat(seed, m.name, ": ");
      add(member + "weight", m.weight);
      add(member + "test accuracy", m.test.accuracy);
      add(member + "validation accuracy", m.val.accuracy);
      add(member + "epochs", m.epochs);
      add(member + "best epoch", m.best_epoch);
    }
  }
  return out;
}

constexpr std::pair<const char*, double LoggedEpoch::*> kFigures[] = {
    {"loss", &LoggedEpoch::loss},
    {"val_loss", &LoggedEpoch::val_loss},
    {"train_accuracy", &LoggedEpoch::train_accuracy},
    {"val_accuracy", &LoggedEpoch::val_accuracy},
    {"oracle_test_accuracy", &LoggedEpoch::test_accuracy},
    {"agreement", &LoggedEpoch::agreement}};

bool same(double x, double y) { return x == y || (std::isnan(x) && std::isnan(y)); }

using Training = std::tuple<int, std::string, int>;  // seed, member, fold
using History = std::vector<LoggedEpoch>;

// Trainings in the order in which they began.
std::vector<std::pair<Training, History>> histories(const std::string& run) {
  std::vector<std::pair<Training, History>> out;
  std::map<Training, std::size_t> index;
  for (const LoggedEpoch& e : read_epochs(run + "/events.jsonl")) {
    const Training key{e.seed, e.member, e.fold};
    const auto [at, is_new] = index.try_emplace(key, out.size());
    if (is_new) out.push_back({key, {}});
    out[at->second].second.push_back(e);
  }
  return out;
}

std::optional<Parting> parting(const Training& t, const History& a, const History& b) {
  Parting p{.seed = std::get<0>(t), .member = std::get<1>(t), .fold = std::get<2>(t)};
  const std::size_t both = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < both; ++i) {
    p.epoch = static_cast<int>(a[i].epoch);
    for (const auto& [name, figure] : kFigures) {
      p.figure = name;
      p.a = a[i].*figure;
      p.b = b[i].*figure;
      if (!same(p.a, p.b)) return p;
    }
  }
  if (a.size() == b.size()) return {};
  const auto last = [](const History& h) { return h.empty() ? 0 : h.back().epoch; };
  p.figure = "epochs";
  p.a = last(a);
  p.b = last(b);
  p.epoch = static_cast<int>(std::min(p.a, p.b));
  return p;
}

void diff_epochs(const std::string& a, const std::string& b, RunDiff& out) {
  const auto in_a = histories(a), in_b = histories(b);
  const auto history = [](const auto& in, const Training& key) {
    const auto at = std::ranges::find(in, key, [](const auto& entry) { return entry.first; });
    return at == in.end() ? History() : at->second;
  };
  const auto compare = [&](const Training& key, const History& left, const History& right) {
    out.compared_epochs += static_cast<Index>(std::min(left.size(), right.size()));
    if (auto p = parting(key, left, right)) out.partings.push_back(std::move(*p));
  };
  for (const auto& [key, epochs] : in_a) compare(key, epochs, history(in_b, key));
  for (const auto& [key, epochs] : in_b)
    if (history(in_a, key).empty()) compare(key, {}, epochs);
}

void require_run(const std::string& path) {
  if (!is_run_folder(path))
    fail(ErrorKind::kUsage, path, ": expected the folder of a run, as scrl train -o makes it");
}

Json json_of(const std::vector<Difference>& list, bool origins = false) {
  Json out = Json::array();
  const auto value = [](const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
  };
  for (const Difference& d : list) {
    Json j = {{"name", d.what}, {"a", value(d.a)}, {"b", value(d.b)}};
    if (origins) {
      j["origin_a"] = value(d.origin_a);
      j["origin_b"] = value(d.origin_b);
    }
    out.push_back(std::move(j));
  }
  return out;
}

}  // namespace

bool RunDiff::equal() const {
  return data.empty() && settings.empty() && split.empty() && result.empty() && partings.empty();
}

RunDiff diff_runs(const std::string& a, const std::string& b) {
  require_run(a);
  require_run(b);
  RunDiff out;
  std::vector<Setting> settings_a = recorded_settings(a), settings_b = recorded_settings(b);
  const auto data = [](std::vector<Setting>& s) { return take(s, {"data", "fingerprint"}); };
  out.data = differences(data(settings_a), data(settings_b));
  // The same data may lie elsewhere.
  if (std::ranges::none_of(out.data, [](const Difference& d) { return d.what == "fingerprint"; }))
    out.data.clear();
  const auto harmless = [](std::vector<Setting>& s) {
    return take(s, {"checkpoint_secs", "snapshots"});
  };
  const auto harmless_a = harmless(settings_a), harmless_b = harmless(settings_b);
  out.settings = differences(settings_a, settings_b);
  out.circumstances = differences(recorded_machine(a), recorded_machine(b));
  std::ranges::copy(differences(harmless_a, harmless_b), std::back_inserter(out.circumstances));
  diff_split(a + "/split.csv", b + "/split.csv", out);
  diff_epochs(a, b, out);
  out.result = differences(figures(a), figures(b));
  return out;
}

Json to_json(const RunDiff& diff) {
  const auto figure = [](double x) { return std::isnan(x) ? Json(nullptr) : Json(x); };
  Json partings = Json::array();
  for (const Parting& p : diff.partings) {
    Json j = {{"seed", p.seed}};
    if (!p.member.empty()) j["member"] = p.member;
    if (p.fold >= 0) j["fold"] = p.fold;
    j["epoch"] = p.epoch;
    j["figure"] = p.figure;
    j["a"] = figure(p.a);
    j["b"] = figure(p.b);
    partings.push_back(std::move(j));
  }
  return {{"schema", 1},
          {"equal", diff.equal()},
          {"data", json_of(diff.data)},
          {"settings", json_of(diff.settings, true)},
          {"split", {{"nodes", diff.split_nodes}, {"examples", json_of(diff.split)}}},
          {"epochs", {{"compared", diff.compared_epochs}, {"first_differences", partings}}},
          {"result", json_of(diff.result)},
          {"circumstances", json_of(diff.circumstances)}};
}

}  // namespace scrl
