// What 'scrl completion' prints: one script per shell, all from the same tables.
#include <algorithm>
#include <set>

#include "base/error.h"
#include "describe.h"

namespace scrl::cli {
namespace {

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string out;
  for (const std::string& word : words) out += (out.empty() ? "" : std::string(between)) + word;
  return out;
}

std::vector<OptionText> all_options(const CommandText& command) {
  std::vector<OptionText> out = command.options;
  for (const OptionText& o : command.settings)
    if (std::ranges::find(out, o.name, &OptionText::name) == out.end()) out.push_back(o);
  return out;
}

std::vector<std::string> names(const std::vector<CommandText>& commands) {
  std::vector<std::string> out;
  for (const CommandText& c : commands) out.push_back(c.name);
  return out;
}

// In single quotes, for each of the shells; `specials` get a backslash before.
std::string quoted(std::string_view text, std::string_view specials = "") {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') {
      out += "'\\''";
      continue;
    }
    if (specials.find(c) != specials.npos) out += '\\';
    out += c;
  }
  return out + "'";
}

// Words that a shell may split at blanks.
std::string patterns(const OptionText& o) {
  std::string out = "--" + o.name;
  if (o.letter) out += cat("|-", o.letter);
  return out;
}

}  // namespace

std::string bash_completion(const std::vector<CommandText>& commands) {
  std::string out =
      "# bash completion of scrl, made by 'scrl completion bash'\n"
      "_scrl() {\n"
      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command= options= i\n"
      "  COMPREPLY=()\n"
      "  # --key=value comes as three words.\n"
      "  if [[ $cur == = ]]; then\n"
      "    cur=\n"
      "  elif [[ $prev == = && $COMP_CWORD -gt 2 ]]; then\n"
      "    prev=${COMP_WORDS[COMP_CWORD-2]}\n"
      "  fi\n"
      "  for ((i = 1; i < COMP_CWORD; i++)); do\n"
      "    if [[ ${COMP_WORDS[i]} != -* ]]; then\n"
      "      command=${COMP_WORDS[i]}\n"
      "      break\n"
      "    fi\n"
      "  done\n"
      "  if [[ -z $command ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W '" +
      joined(names(commands), " ") +
      " help --help --version' -- \"$cur\")\n"
      "    return\n"
      "  fi\n"
      "  case $command in\n";
  for (const CommandText& c : commands) {
    std::vector<std::string> words;
    std::string values;
    for (const OptionText& o : all_options(c)) {
      words.push_back("--" + o.name);
      if (o.value.empty()) continue;
      values += cat("        ", patterns(o), ") ",
                    o.choices.empty() ? std::string("return ;;\n")
                                      : cat("mapfile -t COMPREPLY < <(compgen -W '",
                                            joined(o.choices, " "), "' -- \"$cur\"); return ;;\n"));
    }
    out += cat("    ", c.name, ")\n      options='", joined(words, " "), "'\n");
    if (!values.empty()) out += cat("      case $prev in\n", values, "      esac\n");
    out += "      ;;\n";
  }
  out +=
      "    *) return ;;\n"
      "  esac\n"
      "  if [[ $cur == -* ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"$options\" -- \"$cur\")\n"
      "  elif [[ -n ${SCRL_DATA-} && -d $SCRL_DATA ]]; then\n"
      "    mapfile -t COMPREPLY < <(compgen -W \"demo $(ls -- \"$SCRL_DATA\")\" -- \"$cur\"; "
      "compgen -f -- \"$cur\")\n"
      "  fi\n"
      "}\n"
      "complete -o bashdefault -o default -F _scrl scrl\n";
  return out;
}

std::string zsh_completion(const std::vector<CommandText>& commands) {
  constexpr std::string_view kSpecials = "[]:\\";
  std::string out =
      "#compdef scrl\n"
      "# zsh completion of scrl, made by 'scrl completion zsh'\n"
      "_scrl() {\n"
      "  local -a commands\n"
      "  commands=(\n";
  for (const CommandText& c : commands)
    out += cat("    ", quoted(cat(c.name, ":", c.summary)), "\n");
  out +=
      "  )\n"
      "  if (( CURRENT == 2 )); then\n"
      "    _describe command commands\n"
      "    return\n"
      "  fi\n"
      "  local name=$words[2]\n"
      "  shift words\n"
      "  (( CURRENT-- ))\n"
      "  case $name in\n";
  for (const CommandText& c : commands) {
    out += cat("    ", c.name, ")\n      _arguments -s \\\n");
    for (const OptionText& o : all_options(c)) {
      const std::string help = quoted(o.help, kSpecials);
      const std::string bare = help.substr(1, help.size() - 2);
      std::string tail = cat("[", bare, "]");
      if (!o.value.empty())
        tail +=
            cat(":", o.name, ":",
                o.choices.empty() ? std::string("_files") : cat("(", joined(o.choices, " "), ")"));
      const char* const equals = o.value.empty() ? "" : "=";
      out += cat("        '--", o.name, equals, tail, "' \\\n");
      if (o.letter) out += cat("        '-", o.letter, o.value.empty() ? "" : "+", tail, "' \\\n");
    }
    out += "        '*:data or run:_files'\n      ;;\n";
  }
  return out + "  esac\n}\n_scrl \"$@\"\n";
}

std::string fish_completion(const std::vector<CommandText>& commands) {
  constexpr std::string_view kSpecials = "\\";
  std::string out =
      "# fish completion of scrl, made by 'scrl completion fish'\n"
      "complete -c scrl -n __fish_use_subcommand -f\n";
  for (const CommandText& c : commands)
    out += cat("complete -c scrl -n __fish_use_subcommand -a ", c.name, " -d ",
               quoted(c.summary, kSpecials), "\n");
  for (const CommandText& c : commands) {
    for (const OptionText& o : all_options(c)) {
      out += cat("complete -c scrl -n '__fish_seen_subcommand_from ", c.name, "' -l ", o.name);
      if (o.letter) out += cat(" -s ", o.letter);
      if (!o.choices.empty())
        out += cat(" -x -a ", quoted(joined(o.choices, " ")));
      else if (!o.value.empty())
        out += " -r";
      out += cat(" -d ", quoted(o.help, kSpecials), "\n");
    }
  }
  return out;
}

}  // namespace scrl::cli
