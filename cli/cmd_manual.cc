// scrl manual [COMMAND]: manual pages, from the tables of options.
#include <algorithm>

#include "base/error.h"
#include "command.h"
#include "describe.h"
#include "io/atomic_file.h"

namespace scrl::cli {

int cmd_manual(const Args& args) {
  CommonOptions common;
  std::string folder;
  OptionSet set;
  set.add("out", folder, any_text(), "writes all pages to this folder: scrl.1, scrl-train.1, ...",
          'o');
  bind(set, common);
  const auto positional = parse_command(set, common, args);
  constexpr const char* kUsage = "scrl manual [COMMAND] [-o FOLDER]";
  if (printed_help(common, set,
                   "Prints the manual page of the program or of a command, as roff.\n\n"
                   "  scrl manual train | man -l -    read it\n"
                   "  scrl manual -o man1             what a package installs",
                   kUsage))
    return 0;
  expect_arguments(positional, 0, folder.empty() ? 1 : 0, kUsage);
  const std::vector<CommandText> commands = all_commands();
  if (!folder.empty()) {
    make_directories(folder);
    write_output(folder + "/scrl.1", manual_page(commands));
    for (const CommandText& c : commands)
      write_output(cat(folder, "/scrl-", c.name, ".1"), manual_page(c));
  } else if (positional.empty()) {
    write_output("", manual_page(commands));
  } else {
    const auto found = std::ranges::find(commands, positional[0], &CommandText::name);
    if (found == commands.end())
      fail(ErrorKind::kUsage, "unknown command '", positional[0], "'; 'scrl help' lists them");
    write_output("", manual_page(*found));
  }
  return 0;
}

}  // namespace scrl::cli
