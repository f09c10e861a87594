#include "base/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/error.h"
#include "base/option_text.h"

namespace scrl {
namespace {

constexpr std::string_view kAuto = "auto";

std::string canonical(std::string_view key) {
  std::string out(key);
  std::replace(out.begin(), out.end(), '-', '_');
  return out;
}

int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = static_cast<int>(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    int diagonal = row[0];
    row[0] = static_cast<int>(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const int substitute = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, substitute});
    }
  }
  return row[b.size()];
}

template <class T>
bool parse_number(std::string_view text, T& out) {
  const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), out);
  return ec == std::errc{} && end == text.data() + text.size() && !text.empty();
}

template <class T>
std::string text_of(const T& value) {
  return cat(value);
}
template <class T>
std::string text_of(const std::optional<T>& value) {
  return value ? cat(*value) : std::string(kAuto);
}

struct TextOfField {
  template <class T>
  std::string operator()(const T* field) const {
    return text_of(*field);
  }
  std::string operator()(const ChoiceField& choice) const { return choice.get(choice.field); }
};

}  // namespace

const char* option_type(const OptionSet::Entry& e) {
  static const char* const names[] = {"BOOL", "N", "X", "TEXT", "N", "X", "TEXT"};
  return names[e.field.index()];
}

std::string option_notes(const OptionSet::Entry& e) {
  std::string notes = e.range.describe();
  if (!e.flag && !(e.is_text() && e.default_text.empty()))
    notes += cat(notes.empty() ? "" : "; ", "default ", e.default_text);
  return notes;
}

Range at_least(double low) { return {.low = low}; }
Range above(double low) { return {.low = low, .low_open = true}; }
Range between(double low, double high) { return {.low = low, .high = high}; }
Range from_to_below(double low, double high) {
  return {.low = low, .high = high, .high_open = true};
}
Range one_of(std::vector<std::string> choices) { return {.choices = std::move(choices)}; }
Range any_text() { return {}; }

std::string Range::describe() const {
  if (!choices.empty()) {
    std::string out;
    for (std::size_t i = 0; i < choices.size(); ++i) {
      if (i > 0) out += i + 1 == choices.size() ? " or " : ", ";
      out += choices[i];
    }
    return out;
  }
  std::string out;
  if (std::isfinite(low)) out += cat(low_open ? "above " : "at least ", low);
  if (std::isfinite(high))
    out += cat(out.empty() ? "" : " and ", high_open ? "below " : "at most ", high);
  return out;
}

void OptionSet::add_entry(Entry entry) {
  check(find(entry.key) == nullptr, "option '", entry.key, "' is declared twice");
  entry.default_text = value_text(entry);
  entries_.push_back(std::move(entry));
}

const OptionSet::Entry* OptionSet::find(std::string_view key) const {
  const std::string wanted = canonical(key);
  for (const Entry& e : entries_)
    if (e.key == wanted) return &e;
  return nullptr;
}

const OptionSet::Entry* OptionSet::find_letter(char letter) const {
  for (const Entry& e : entries_)
    if (e.letter == letter) return &e;
  return nullptr;
}

// Names of earlier versions; CHANGELOG.md has the table.
constexpr std::pair<std::string_view, std::string_view> kRenamed[] = {
    {"contrasted", "negatives"}, {"directions", "lsa_rank"}, {"feature_values", "binarize"},
    {"rarity", "lsa_rank"},      {"map", "layout"},          {"self_weight", "lazy"},
    {"steps", "hops"},
};

void OptionSet::fail_unknown(std::string_view key, std::string_view origin) const {
  const std::string wanted = canonical(key);
  const Entry* best = nullptr;
  int distance = std::max<int>(2, static_cast<int>(wanted.size()) / 3) + 1;
  for (const Entry& e : entries_) {
    const int d = e.key.starts_with(wanted) ? 1 : edit_distance(e.key, wanted);
    if (d < distance) {
      distance = d;
      best = &e;
    }
  }
  const bool from_file = origin.find(':') != std::string_view::npos;
  std::string advice =
      best ? cat("; did you mean '", best->key, "'?") : "; --help lists the options";
  for (const auto& [was, is] : kRenamed)
    if (wanted == was && has(is)) advice = cat("; it is called '", is, "' now");
  fail(ErrorKind::kUsage, from_file ? cat(origin, ": ") : "", "unknown option '", key, "'", advice);
}

void OptionSet::set(std::string_view key, std::string_view text, std::string_view origin) {
  const Entry* found = find(key);
  if (!found) fail_unknown(key, origin);
  Entry& e = entries_[static_cast<std::size_t>(found - entries_.data())];
  if (e.fixed) {
    if (value_text(e) == text) return;
    fail(ErrorKind::kUsage, e.key, ": it is ", value_text(e), " by the definition of this method (",
         e.origin, ") and cannot be set, got '", text, "'");
  }
  const auto reject = [&](const char* kind) {
    const std::string range = e.range.describe();
    fail(ErrorKind::kUsage, e.key, ": expected ", kind, kind[0] && !range.empty() ? " " : "", range,
         ", got '", text, "'", origin == "command line" ? "" : cat(" (", origin, ")"));
  };
  const auto number_in_range = [&](double& out) {
    double value = 0;
    if (!parse_number(text, value) || !std::isfinite(value) || !e.range.contains(value))
      return false;
    out = value;
    return true;
  };
  if (bool** flag = std::get_if<bool*>(&e.field)) {
    if (text == "true" || text == "1" || text == "yes" || text == "on") {
      **flag = true;
    } else if (text == "false" || text == "0" || text == "no" || text == "off") {
      **flag = false;
    } else {
      reject("true or false");
    }
  } else if (int** whole = std::get_if<int*>(&e.field)) {
    int value = 0;
    if (!parse_number(text, value) || !e.range.contains(value)) reject("a whole number");
    **whole = value;
  } else if (double** number = std::get_if<double*>(&e.field)) {
    if (!number_in_range(**number)) reject("a number");
  } else if (auto** maybe_whole = std::get_if<std::optional<int>*>(&e.field)) {
    int value = 0;
    if (text != kAuto && (!parse_number(text, value) || !e.range.contains(value)))
      reject("auto, or a whole number");
    **maybe_whole = text == kAuto ? std::nullopt : std::optional(value);
  } else if (auto** maybe = std::get_if<std::optional<double>*>(&e.field)) {
    double value = 0;
    if (text != kAuto && !number_in_range(value)) reject("auto, or a number");
    **maybe = text == kAuto ? std::nullopt : std::optional(value);
  } else {
    const auto& choices = e.range.choices;
    if (!choices.empty() && std::find(choices.begin(), choices.end(), text) == choices.end())
      reject("");
    if (const ChoiceField* choice = std::get_if<ChoiceField>(&e.field))
      choice->set(choice->field, text);
    else
      **std::get_if<std::string*>(&e.field) = text;
  }
  e.origin = origin;
}

bool OptionSet::is_auto(std::string_view key) const {
  const Entry* e = find(key);
  return e && value_text(*e) == kAuto;
}

void OptionSet::resolve(std::string_view key, std::string_view text) {
  check(is_auto(key), "resolve: ", key, " is not auto");
  Entry& e = entries_[static_cast<std::size_t>(find(key) - entries_.data())];
  set(key, text, std::string(e.origin));
  e.resolved = true;
}

void OptionSet::fix(std::string_view key) {
  check(has(key), "fix: there is no option ", key);
  entries_[static_cast<std::size_t>(find(key) - entries_.data())].fixed = true;
}

void OptionSet::keep_as_defaults() {
  for (Entry& e : entries_) e.default_text = value_text(e);
}

std::string OptionSet::value_text(const Entry& e) const {
  return std::visit(TextOfField{}, e.field);
}

std::string OptionSet::help_text() const {
  std::string out;
  for (const Entry& e : entries_) {
    if (e.fixed) continue;
    std::string name = e.letter ? cat("  -", e.letter, ", --") : std::string("      --");
    name += e.key;
    std::replace(name.begin() + 2, name.end(), '_', '-');
    if (!e.flag) name += cat(" ", option_type(e));
    name.resize(std::max<std::size_t>(name.size() + 2, 32), ' ');
    out += name + e.help;
    const std::string notes = option_notes(e);
    if (!notes.empty()) out += cat(" (", notes, ")");
    out += '\n';
  }
  return out;
}

ParsedArgs parse_args(const std::vector<const OptionSet*>& sets,
                      const std::vector<std::string>& args) {
  const auto first = [&](auto find) -> const OptionSet::Entry* {
    for (const OptionSet* set : sets)
      if (const OptionSet::Entry* e = find(*set)) return e;
    return nullptr;
  };
  ParsedArgs out;
  bool only_positional = false;
  for (std::size_t i = 0; i < args.size(); ++i) {
    const std::string& word = args[i];
    if (only_positional || word.size() < 2 || word[0] != '-') {
      out.positional.push_back(word);
      continue;
    }
    if (word == "--") {
      only_positional = true;
      continue;
    }
    std::string key, value;
    bool has_value = false;
    if (word[1] == '-') {
      const auto equals = word.find('=');
      key = canonical(
          std::string_view(word).substr(2, equals == std::string::npos ? equals : equals - 2));
      has_value = equals != std::string::npos;
      if (has_value) value = word.substr(equals + 1);
    } else {
      const OptionSet::Entry* e =
          first([&](const OptionSet& set) { return set.find_letter(word[1]); });
      if (!e) fail(ErrorKind::kUsage, "unknown option '", word, "'; --help lists the options");
      key = e->key;
      has_value = word.size() > 2;
      if (has_value) value = word.substr(word[2] == '=' ? 3 : 2);
    }
    const OptionSet::Entry* known = first([&](const OptionSet& set) { return set.find(key); });
    if (!has_value && known && known->flag) {
      value = "true";
    } else if (!has_value && i + 1 < args.size()) {
      value = args[++i];
    } else if (!has_value && known) {
      fail(ErrorKind::kUsage, word, ": expected a value, got the end of the command line");
    }
    out.options.emplace_back(std::move(key), std::move(value));
  }
  return out;
}

}  // namespace scrl
