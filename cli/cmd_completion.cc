// scrl completion SHELL: completion of commands, options and their values.
#include "base/error.h"
#include "command.h"
#include "describe.h"

namespace scrl::cli {

int cmd_completion(const Args& args) {
  CommonOptions common;
  OptionSet set;
  bind(set, common);
  const auto positional = parse_command(set, common, args);
  constexpr const char* kUsage = "scrl completion bash|zsh|fish";
  if (printed_help(common, set,
                   "Prints a script that completes commands, options and their values.\n\n"
                   "  source <(scrl completion bash)                                 this shell\n"
                   "  scrl completion zsh > DIR/_scrl                                a folder of "
                   "$fpath\n"
                   "  scrl completion fish > ~/.config/fish/completions/scrl.fish    fish",
                   kUsage))
    return 0;
  expect_arguments(positional, 1, 1, kUsage);
  const std::string& shell = positional[0];
  if (shell == "bash")
    write_output("", bash_completion(all_commands()));
  else if (shell == "zsh")
    write_output("", zsh_completion(all_commands()));
  else if (shell == "fish")
    write_output("", fish_completion(all_commands()));
  else
    fail(ErrorKind::kUsage, "completion: expected bash, zsh or fish, got '", shell, "'");
  return 0;
}

}  // namespace scrl::cli
