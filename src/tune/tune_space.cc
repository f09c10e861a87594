#include "tune/tune_space.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <sstream>

#include "base/error.h"
#include "base/hash.h"
#include "base/rng.h"
#include "io/paths.h"
#include "io/regular_file.h"
#include "models/registry.h"

namespace scrl {
namespace {

// Nodes that score are the same for all configurations, or their scores could not be compared.
constexpr const char* kNotSearched[] = {"method",    "profile",    "seeds",     "checkpoint_secs",
                                        "seed",      "protocol",   "labels",    "split",
                                        "val_nodes", "test_nodes", "val_share", "test_share"};

// Rows of the default space. `times` multiplies the starting value of the method.
struct Row {
  const char* key;
  const char* values;
  bool times = false;
};
constexpr Row kRows[] = {
    {"k", "2,3,4,5,6,7,8,9,15,20,30"},
    {"knn", "union,mutual,rule"},
    {"lsa_rank", "0,32,48,64,96"},
    {"lazy", "0,0.2,0.35,0.5,0.65,0.8"},
    {"binarize", "false,true"},
    {"feature_norm", "none,l1,l2"},
    {"lr", "0.1..10", true},
    {"weight_decay", "1e-5..1e-1"},
    {"hidden1", "0.25,0.5,1,2,3", true},
    {"hidden2", "0.25,0.5,1,2", true},
    {"dropout", "0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8"},
    {"input_dropout", "0,0.1,0.2,0.3,0.4,0.5,0.6,0.7,0.8,0.9"},
    {"tau", "0.05..1"},
    {"epsilon", "0.02..0.5"},
    {"sinkhorn_iters", "3,5,10,15"},
    {"prototypes", "1,2,3,5"},  // times the classes
    {"alpha", "0.25..8"},
    // of other methods
    {"theta", "1e-4..1e-1"},
    {"beta", "1e-10..1e-3"},
    {"degree", "1,2,3"},
    {"heads", "4,8,16"},
    {"out_heads", "1,2,4,8"},
    {"penalty", "0.1..10", true},
    {"layers", "1,2,3,4"},
    {"stages", "1,2,3,5"},
    {"clusters", "50,100,200,400"},
    {"activation", "relu,prelu"},
    {"drop_edge_1", "0,0.2,0.4,0.6,0.8"},
    {"drop_edge_2", "0,0.2,0.4,0.6,0.8"},
    {"drop_feature_1", "0,0.1,0.2,0.3,0.4"},
    {"drop_feature_2", "0,0.1,0.2,0.3,0.4"},
    {"dim", "0.5,1,2", true},
    {"walks", "0.5,1,2", true},
    {"window", "3,5,10"},
    {"negative", "3,5,10"},
};

// 0.0012345 -> 0.00123
std::string three_digits(double x) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", x);
  return text;
}

std::vector<std::string> parts(const std::string& list) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    out.push_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

std::string usual_form(RunConfig& config, const std::string& key, const std::string& text,
                       const std::string& origin) {
  config.options.set(key, text, origin);
  return config.options.value_text(*config.options.find(key));
}

bool used(const RunConfig& start, const std::string& key) {
  const MethodInfo& info = method_info(start.run.method);
  if (start.options.find(key) && start.options.find(key)->fixed) return false;
  if (key == "k" || key == "knn" || key == "lsa_rank") return (info.views & kFeatureGraph) != 0;
  if (key == "lazy") return (info.views & (kTopology | kFeatureGraph)) != 0;
  if (key == "binarize" || key == "feature_norm" || key == "weight_decay") return info.features;
  return start.options.has(key);
}

double number_in(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

std::string times_start(const std::string& values, double start, bool whole) {
  const auto scaled = [&](double factor) {
    const double x = start * factor;
    return !whole ? three_digits(x) : cat(factor == 0 ? 0 : std::max(1L, std::lround(x)));
  };
  if (const auto dots = values.find(".."); dots != std::string::npos)
    return cat(scaled(number_in(values.substr(0, dots))), "..",
               scaled(number_in(values.substr(dots + 2))));
  std::vector<std::string> out;
  for (const std::string& v : parts(values))
    if (const std::string text = scaled(number_in(v));
        std::find(out.begin(), out.end(), text) == out.end())
      out.push_back(text);
  std::string list;
  for (const std::string& v : out) list += (list.empty() ? "" : ",") + v;
  return list;
}

}  // namespace

std::string TuneSetting::text() const {
  if (values.empty()) return cat(low, "..", high);
  std::string out;
  for (const std::string& v : values) out += (out.empty() ? "" : ",") + v;
  return out;
}

TuneSpace default_space(const RunConfig& start, Index classes,
                        const std::function<bool(const std::string&)>& leave_out) {
  TuneSpace space;
  for (const Row& row : kRows) {
    const std::string key = row.key;
    if (!used(start, key) || (leave_out && leave_out(key))) continue;
    const OptionSet::Entry& entry = *start.options.find(key);
    const double value = number_in(start.options.value_text(entry));
    std::string values = row.values;
    if (key == "weight_decay" && value == 0) {
      values = "0,1e-5,1e-4,1e-3";
    } else if (row.times && value == 0) {
      continue;  // nothing to multiply
    } else if (row.times) {
      values = times_start(values, value, std::holds_alternative<int*>(entry.field));
    } else if (key == "prototypes") {
      values = times_start(values, static_cast<double>(classes), true);
    } else if (key == "alpha" && entry.range.high <= 1) {
      values = "0.05,0.1,0.2,0.5";  // the restart probability of personalised PageRank
    }
    space.push_back(parse_space(start, cat(key, "=", values), "default space"));
    space.back().chosen = false;
  }
  return space;
}

TuneSetting parse_space(const RunConfig& start, const std::string& text,
                        const std::string& origin) {
  const auto equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || equals + 1 == text.size())
    fail(ErrorKind::kUsage, origin, ": expected KEY=A,B,C or KEY=LOW..HIGH, got '", text, "'");
  TuneSetting out{.key = text.substr(0, equals), .chosen = true};
  const std::string values = text.substr(equals + 1);
  RunConfig config({{"method", start.run.method, ""}});  // to try values on
  const OptionSet::Entry* entry = config.options.find(out.key);
  if (!entry) config.options.fail_unknown(out.key, origin);
  out.key = entry->key;
  if (std::find(std::begin(kNotSearched), std::end(kNotSearched), out.key) !=
      std::end(kNotSearched))
    fail(ErrorKind::kUsage, origin, ": ", out.key,
         " cannot be searched: all configurations share it; give it as --", out.key);

  const bool text_value = entry->is_text();
  const auto dots = values.find("..");
  if (dots == std::string::npos || text_value) {
    for (const std::string& v : parts(values)) {
      out.values.push_back(usual_form(config, out.key, v, origin));
      if (std::count(out.values.begin(), out.values.end(), out.values.back()) > 1)
        fail(ErrorKind::kUsage, origin, ": ", out.key, ": '", v, "' is listed twice");
    }
    return out;
  }
  out.whole = std::holds_alternative<int*>(entry->field) ||
              std::holds_alternative<std::optional<int>*>(entry->field);
  if (!out.whole && !std::holds_alternative<double*>(entry->field) &&
      !std::holds_alternative<std::optional<double>*>(entry->field))
    fail(ErrorKind::kUsage, origin, ": ", out.key, ": a range is for numbers; list the values");
  out.low = number_in(usual_form(config, out.key, values.substr(0, dots), origin));
  out.high = number_in(usual_form(config, out.key, values.substr(dots + 2), origin));
  if (!(out.low > 0) || !(out.low < out.high))
    fail(ErrorKind::kUsage, origin, ": ", out.key,
         ": a range is LOW..HIGH with 0 < LOW < HIGH, drawn in the logarithm; got '", values, "'");
  return out;
}

TuneSpace read_space_file(const RunConfig& start, const std::string& path) {
  if (!is_file(path))
    fail(ErrorKind::kUsage, "--space: expected KEY=A,B,C, KEY=LOW..HIGH or a file of them, got '",
         path, "', which is no file");
  std::istringstream in(read_file(path, Index{1} << 20, ErrorKind::kUsage));
  TuneSpace space;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    line = line.substr(0, line.find('#'));
    std::erase_if(line, [](unsigned char c) { return c <= ' '; });
    if (line.empty()) continue;
    const std::string where = cat(path, ":", number);
    const TuneSetting setting = parse_space(start, line, where);
    if (std::any_of(space.begin(), space.end(), [&](auto& s) { return s.key == setting.key; }))
      fail(ErrorKind::kUsage, where, ": ", setting.key, " is there twice");
    space.push_back(setting);
  }
  return space;
}

std::string space_file_text(const TuneSpace& space) {
  std::string out = "# what is searched; scrl tune --space takes this file\n";
  for (const TuneSetting& s : space) out += cat(s.key, " = ", s.text(), "\n");
  return out;
}

void put(TuneSpace& space, TuneSetting setting) {
  for (TuneSetting& s : space)
    if (s.key == setting.key) {
      s = std::move(setting);
      return;
    }
  space.push_back(std::move(setting));
}

std::vector<std::string> draw(const TuneSpace& space, const std::vector<std::string>& start,
                              std::uint64_t seed, std::uint32_t number) {
  const double share = Rng(seed, Purpose::kTune, 0, number).uniform();
  std::vector<std::string> out;
  for (std::size_t i = 0; i < space.size(); ++i) {
    const TuneSetting& s = space[i];
    Rng rng(seed, Purpose::kTune,
            static_cast<std::uint32_t>(checksum(s.key.data(), s.key.size()) | 1), number);
    const bool leaves = rng.uniform() < share;
    const double u = rng.uniform();
    if (!s.chosen && !leaves) {
      out.push_back(start[i]);
    } else if (!s.values.empty()) {
      out.push_back(s.values[static_cast<std::size_t>(u * static_cast<double>(s.values.size()))]);
    } else {
      const double x = s.low * std::pow(s.high / s.low, u);
      // Cutting digits must not lead out of the range.
      const double cut = std::clamp(number_in(three_digits(x)), s.low, s.high);
      out.push_back(s.whole ? cat(std::lround(x)) : cat(cut));
    }
  }
  return out;
}

std::string part_of(const TuneSetting& s, const std::string& value) {
  if (!s.values.empty()) return value;
  const double x = number_in(value);
  const auto edge = [&](int third) {
    return three_digits(s.low * std::pow(s.high / s.low, third / 3.0));
  };
  if (x < s.low || x > s.high) return value;
  int third = static_cast<int>(3 * std::log(x / s.low) / std::log(s.high / s.low));
  third = std::clamp(third, 0, 2);
  return cat(edge(third), "..", edge(third + 1));
}

}  // namespace scrl
