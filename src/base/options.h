// base/options.h: one table per group of options; everything about an option is said there once.
//
//   struct TrainOptions { int epochs = 200; double lr = 2e-4; };
//   void bind(OptionSet& set, TrainOptions& o) {
//     set.add("epochs", o.epochs, at_least(1), "passes over the whole graph");
//     set.add("lr", o.lr, above(0), "Adam learning rate");
//   }
//
// The struct holds the defaults. The command line, --set, config files, --help, the run record and
// docs/options.md all walk the same table. An unknown key or a bad value is Error(kUsage).
#pragma once
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/choice.h"

namespace scrl {

// Which values are allowed. NaN is never inside.
struct Range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false, high_open = false;
  std::vector<std::string> choices;  // for text

  bool contains(double x) const {
    return (low_open ? x > low : x >= low) && (high_open ? x < high : x <= high);
  }
  std::string describe() const;  // "a number above 0", "rw or sym"
};
Range at_least(double low);
Range above(double low);
Range between(double low, double high);        // both ends included
Range from_to_below(double low, double high);  // [low, high)
Range one_of(std::vector<std::string> choices);
Range any_text();

class OptionSet {
 public:
  using Field = std::variant<bool*, int*, double*, std::string*, std::optional<int>*,
                             std::optional<double>*, ChoiceField>;
  // An optional number that is not set reads "auto": whoever uses it has a rule.
  struct Entry {
    std::string key;  // lower case with underscores; --some-key and some_key both find it
    char letter = 0;  // one-letter alias, 0: none
    Field field;
    Range range;
    std::string help;
    std::string default_text;
    std::string origin = "default";  // who set the present value
    bool flag = false;               // takes no value on the command line
    bool resolved = false;           // was "auto" until resolve()
    bool fixed = false;              // part of the method: recorded, not to be changed

    bool is_text() const {
      return std::holds_alternative<std::string*>(field) ||
             std::holds_alternative<ChoiceField>(field);
    }
  };

  template <class T>
  void add(std::string key, T& field, Range range, std::string help, char letter = 0) {
    add_entry({.key = std::move(key),
               .letter = letter,
               .field = &field,
               .range = std::move(range),
               .help = std::move(help)});
  }
  // An enum with names (base/choice.h).
  template <Named E>
  void add(std::string key, E& field, std::string help, char letter = 0) {
    add_entry({.key = std::move(key),
               .letter = letter,
               .field = ChoiceField::of(field),
               .range = one_of(all_names<E>()),
               .help = std::move(help)});
  }
  void add_flag(std::string key, bool& field, std::string help, char letter = 0) {
    add_entry({.key = std::move(key),
               .letter = letter,
               .field = &field,
               .help = std::move(help),
               .flag = true});
  }

  // REQUIRES of the caller: none; throws Error(kUsage) naming the key, the value and what fits.
  void set(std::string_view key, std::string_view text, std::string_view origin);
  // A value in place of "auto", as the rule of whoever calls has it; who set "auto" stays on
  // record.
  void resolve(std::string_view key, std::string_view text);
  // From here on set() takes no other value, and help does not list the option.
  void fix(std::string_view key);
  // What is set now is the default from here on, for help; origins stay.
  void keep_as_defaults();
  bool has(std::string_view key) const { return find(key) != nullptr; }
  bool is_auto(std::string_view key) const;
  const Entry* find(std::string_view key) const;
  const Entry* find_letter(char letter) const;
  std::string value_text(const Entry& entry) const;
  const std::vector<Entry>& entries() const { return entries_; }

  // "unknown option 'epoch'; did you mean 'epochs'?"
  [[noreturn]] void fail_unknown(std::string_view key, std::string_view origin) const;
  // One line per option: name, value type, default, range, help.
  std::string help_text() const;

 private:
  void add_entry(Entry entry);
  std::vector<Entry> entries_;
};

// Splits a command line into positional arguments and (key, value) pairs in order. Flags of the set
// take no value; every other option takes the next word or what follows '='. Keys need not be in
// the set: what they mean may depend on an option still to be read (the method).
struct ParsedArgs {
  std::vector<std::string> positional;
  std::vector<std::pair<std::string, std::string>> options;
};
ParsedArgs parse_args(const std::vector<const OptionSet*>& sets,
                      const std::vector<std::string>& args);

}  // namespace scrl
