#include "run/recorded_settings.h"

#include <algorithm>

#include "base/cpu.h"
#include "base/parallel.h"
#include "config/json_file.h"
#include "io/fields.h"
#include "io/paths.h"
#include "io/regular_file.h"
#include "io/toml.h"
#include "kernels/simd.h"

namespace scrl {
namespace {

constexpr Index kMaxConfig = Index{1} << 20;
constexpr const char* kStart = "start";
constexpr const char* kMachine[] = {"program", "cpu", "simd", "threads"};

// What follows the value that ends at `end`: "# command line; 15 on this graph" -> "command line".
std::string comment_after(const std::vector<std::string_view>& lines, toml::source_position end) {
  if (end.line == 0 || end.line > lines.size() || end.column == 0) return {};
  const std::string_view line = lines[end.line - 1];
  std::string_view rest = line.substr(std::min<std::size_t>(line.size(), end.column - 1));
  const std::size_t mark = rest.find('#');
  if (mark == rest.npos) return {};
  rest.remove_prefix(mark + 1);
  return std::string(trimmed(rest.substr(0, rest.find(';'))));
}

}  // namespace

std::vector<Setting> recorded_settings(const std::string& run) {
  const std::string path = run + "/config.toml";
  const std::string text = read_file(path, kMaxConfig, ErrorKind::kModelFile);
  std::vector<std::string_view> lines;
  for (std::string_view rest = text; !rest.empty();) {
    lines.push_back(rest.substr(0, rest.find('\n')));
    rest.remove_prefix(std::min(rest.size(), lines.back().size() + 1));
  }
  std::vector<std::pair<toml::source_index, Setting>> found;
  const toml::table table = parse_toml(text, path);
  for (const auto& [key, node] : table)
    if (const auto value = scalar_text(node))
      found.push_back({node.source().begin.line,
                       {std::string(key.str()), *value, comment_after(lines, node.source().end)}});
  std::ranges::stable_sort(found, {}, [](const auto& entry) { return entry.first; });
  std::vector<Setting> out;
  for (auto& [line, setting] : found) out.push_back(std::move(setting));
  return out;
}

std::vector<Setting> recorded_machine(const std::string& run) {
  const std::string path = run + "/events.jsonl";
  if (!exists(path)) return {};
  LineReader reader(open_file(path));
  std::vector<Setting> out;
  if (!reader.next_any()) return out;
  try {
    const Json json = parse_json(reader.line(), path);
    const JsonFields event(json, path);
    if (event.text("event") != kStart) return out;
    for (const char* key : kMachine)
      if (event.has(key))
        out.push_back({key,
                       event.value(key).is_string() ? event.value(key).get<std::string>()
                                                    : shown_json(event.value(key)),
                       ""});
  } catch (const Error&) {
    out.clear();  // a line torn by a crash says nothing
  }
  return out;
}

Json start_event(const std::string& program) {
  Json event = {{"event", kStart}};
  if (!program.empty()) event["program"] = program;
  if (const std::string cpu = cpu_name(); !cpu.empty()) event["cpu"] = cpu;
  event["simd"] = kernels::simd_level();
  event["threads"] = threads();
  return event;
}

}  // namespace scrl
