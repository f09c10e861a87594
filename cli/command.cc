#include "command.h"

#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <fstream>

#include "base/error.h"
#include "base/parallel.h"
#include "describe.h"
#include "io/atomic_file.h"
#include "io/paths.h"
#include "terminal.h"
#include "version.h"

namespace scrl::cli {
namespace {

volatile std::sig_atomic_t signal_seen = 0;
std::string program_name = "scrl";

}  // namespace

void bind(OptionSet& set, CommonOptions& o) {
  set.add("threads", o.threads, between(0, 1024), "threads; 0: one per core", 't');
  set.add_flag("quiet", o.quiet, "print nothing but errors", 'q');
  set.add("color", o.color, "coloured output");
  set.add_flag("help", o.help, "this text", 'h');
}

void bind_memory_limit(OptionSet& set, std::string& limit) {
  set.add("mem_limit", limit, any_text(),
          "most memory to use, as in 800M or 8G; without it what the machine has");
}

Index apply_memory_limit(const std::string& limit) {
  if (limit.empty()) return 0;
  double number = 0;
  const char* const end = limit.data() + limit.size();
  const auto [rest, error] = std::from_chars(limit.data(), end, number);
  const std::string_view unit(rest, static_cast<std::size_t>(end - rest));
  const double factor = unit == "K"   ? 1e3
                        : unit == "M" ? 1e6
                        : unit == "G" ? 1e9
                        : unit == "T" ? 1e12
                                      : 0;
  if (error != std::errc() || factor == 0 || !(number * factor >= 1) || number * factor > 1e18)
    fail(ErrorKind::kUsage, "--mem-limit: expected a size as in 800M or 8G, got '", limit, "'");
  const auto bytes = static_cast<rlim_t>(number * factor);
  const rlimit cap = {bytes, RLIM_INFINITY};
  setrlimit(RLIMIT_DATA, &cap);  // whatever no estimate foresaw becomes 'out of memory', exit 5
  return static_cast<Index>(bytes);
}

void bind_knn_file(OptionSet& set, std::string& file) {
  set.add("knn_file", file, any_text(),
          "your own feature graph: a list of nodes and neighbours, instead of features.knn.tsv");
}

void bind_json(OptionSet& set, bool& json) {
  set.add_flag("json", json, "one JSON object on stdout");
}

void bind_any_build(OptionSet& set, bool& any_build) {
  set.add_flag("any_build", any_build,
               "take what another build trained with the same settings, data and instruction set");
}

std::vector<std::string> parse_command(OptionSet& set, const CommonOptions& common,
                                       const Args& args) {
  const ParsedArgs parsed = parse_args({&set}, args);
  for (const auto& [key, value] : parsed.options) set.set(key, value, "command line");
  set_threads(common.threads);
  set_color(common.color);
  return parsed.positional;
}

std::vector<std::string> parse_command(OptionSet& set, const CommonOptions& common,
                                       const Args& args, std::vector<Setting>& settings) {
  const RunConfig defaults({{"method", "scrl", ""}});  // for the one-letter names of settings
  const ParsedArgs parsed = parse_args({&set, &defaults.options}, args);
  for (const auto& [key, value] : parsed.options) {
    if (key == "set") {
      const auto equals = value.find('=');
      if (equals == std::string::npos || equals == 0)
        fail(ErrorKind::kUsage, "--set: expected KEY=VALUE, got '", value, "'");
      std::string name = value.substr(0, equals);
      std::replace(name.begin(), name.end(), '-', '_');
      settings.push_back({name, value.substr(equals + 1), "--set"});
    } else if (set.has(key) && key != "space") {  // which may be repeated
      set.set(key, value, "command line");
    } else {
      settings.push_back({key, value, "command line"});
    }
  }
  set_threads(common.threads);
  set_color(common.color);
  return parsed.positional;
}

bool printed_help(const CommonOptions& common, const OptionSet& set, std::string_view what,
                  std::string_view usage, const OptionSet* settings) {
  if (!common.help || described(set, what, usage, settings)) return common.help;
  std::string text = cat(what, "\n\nusage: ", usage, "\n\n", set.help_text());
  if (settings)
    text += cat("\nsettings (also as --set KEY=VALUE or in --config):\n", settings->help_text());
  write_output("", text);
  return true;
}

void expect_arguments(const std::vector<std::string>& got, std::size_t low, std::size_t high,
                      std::string_view usage) {
  if (got.size() >= low && got.size() <= high) return;
  fail(ErrorKind::kUsage, got.size() < low ? "too few" : "too many", " arguments: usage: ", usage);
}

void write_output(const std::string& path, std::string_view content) {
  if (!path.empty() && path != "-") {
    if (!exists(path) || is_file(path)) return write_atomically(behind_link(path), content);
    // A pipe or a device is written to, not replaced.
    std::ofstream out(path, std::ios::binary);
    if (!(out << content << std::flush)) fail(ErrorKind::kRun, path, ": cannot write");
    return;
  }
  if (std::fwrite(content.data(), 1, content.size(), stdout) != content.size() ||
      std::fflush(stdout) != 0)
    fail(ErrorKind::kResource, "stdout: cannot write");
}

const std::string& program() { return program_name; }
std::string program_version() { return cat(SCRL_VERSION, " (", SCRL_COMMIT, ")"); }
void set_program(std::string name) { program_name = std::move(name); }

void catch_signals() {
  struct sigaction action = {};
  action.sa_handler = [](int number) { signal_seen = number; };
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
}

int caught_signal() { return signal_seen; }

}  // namespace scrl::cli
