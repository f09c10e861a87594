// cli/command.h: what every command of the program shares.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "config/config.h"
#include "terminal.h"

namespace scrl::cli {

using Args = std::vector<std::string>;

struct Command {
  const char* name;
  const char* summary;
  int (*run)(const Args& args);
};

// One function per command, in cmd_NAME.cc. They return an exit code or throw scrl::Error.
int cmd_train(const Args& args);
int cmd_compare(const Args& args);
int cmd_tune(const Args& args);
int cmd_reproduce(const Args& args);
int cmd_predict(const Args& args);
int cmd_embed(const Args& args);
int cmd_eval(const Args& args);
int cmd_explain(const Args& args);
int cmd_query(const Args& args);
int cmd_suspects(const Args& args);
int cmd_diff(const Args& args);
int cmd_serve(const Args& args);
int cmd_report(const Args& args);
int cmd_inspect(const Args& args);
int cmd_convert(const Args& args);
int cmd_knn(const Args& args);
int cmd_tsne(const Args& args);
int cmd_bench(const Args& args);
int cmd_partition(const Args& args);
int cmd_plan(const Args& args);
int cmd_demo(const Args& args);
int cmd_completion(const Args& args);
int cmd_manual(const Args& args);
int cmd_methods(const Args& args);
int cmd_version(const Args& args);

// Options that every command has.
struct CommonOptions {
  int threads = 0;
  bool quiet = false, help = false;
  Color color = Color::kAuto;
};
void bind(OptionSet& set, CommonOptions& o);
// --mem-limit 8G: `apply_memory_limit` makes allocations beyond it fail and returns it in bytes, 0
// if it was not given.
void bind_memory_limit(OptionSet& set, std::string& limit);
Index apply_memory_limit(const std::string& limit);
// --knn-file FILE: a neighbour graph for the data (data/knn_file.h).
void bind_knn_file(OptionSet& set, std::string& file);
void bind_json(OptionSet& set, bool& json);            // for commands that print facts
void bind_any_build(OptionSet& set, bool& any_build);  // for commands that keep what they trained

// Parses args, sets the options of `set`, applies threads and colour. Returns the positional
// arguments. Keys that are not in the set are an error.
std::vector<std::string> parse_command(OptionSet& set, const CommonOptions& common,
                                       const Args& args);
// The same, but other keys and those given by --set KEY=VALUE become settings of a run, in order.
// So does every --space of a command that has this option, with `space` as its key.
std::vector<std::string> parse_command(OptionSet& set, const CommonOptions& common,
                                       const Args& args, std::vector<Setting>& settings);

// With --help, prints what the command does, its usage and its options; then there is no more to
// do.
// `settings`: further options, listed below.
bool printed_help(const CommonOptions& common, const OptionSet& set, std::string_view what,
                  std::string_view usage, const OptionSet* settings = nullptr);

// Throws Error(kUsage) unless `low <= got <= high`.
void expect_arguments(const std::vector<std::string>& got, std::size_t low, std::size_t high,
                      std::string_view usage);

// To PATH atomically, or to stdout when PATH is "-" or empty.
void write_output(const std::string& path, std::string_view content);

// How this program was called, for lines that a person may copy.
const std::string& program();
std::string program_version();  // "0.1.0 (COMMIT)", which decides whether a result is our own
void set_program(std::string name);

// The signal that asked for an end (SIGINT, SIGTERM), 0: none. The first one is only noted, so that
// the epoch can finish; a second one ends the process at once.
void catch_signals();
int caught_signal();

}  // namespace scrl::cli
