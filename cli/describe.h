// cli/describe.h: what each command does and takes, from the tables that its --help prints: for
// completions and manual pages.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"

namespace scrl::cli {

struct OptionText {
  std::string name;  // "knn-search"
  char letter = 0;
  std::string value;  // N, X, TEXT, BOOL; empty: a flag
  std::vector<std::string> choices;
  std::string help, notes;  // notes: allowed values and the default
};

struct CommandText {
  std::string name, summary, what, usage;
  std::vector<OptionText> options;
  std::vector<OptionText> settings;  // of train: also as --set KEY=VALUE
};

// All commands in the order of 'scrl help'.
std::vector<CommandText> all_commands();

// While one of these lives, printed_help() fills `text` and prints nothing.
class Describing {
 public:
  explicit Describing(CommandText& text);
  ~Describing();
  Describing(const Describing&) = delete;
  Describing& operator=(const Describing&) = delete;
};
// True when there is one; it has taken note.
bool described(const OptionSet& set, std::string_view what, std::string_view usage,
               const OptionSet* settings);

// The text of 'scrl completion SHELL'.
std::string bash_completion(const std::vector<CommandText>& commands);
std::string zsh_completion(const std::vector<CommandText>& commands);
std::string fish_completion(const std::vector<CommandText>& commands);

// The manual page of a command, and that of the program, as roff.
std::string manual_page(const CommandText& command);
std::string manual_page(const std::vector<CommandText>& commands);

}  // namespace scrl::cli
