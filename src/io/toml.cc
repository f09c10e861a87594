#include "io/toml.h"

#include <algorithm>

#include "base/error.h"
#include "io/regular_file.h"
#include "io/utf8.h"

namespace scrl {
namespace {

constexpr std::size_t kMostBytes = std::size_t{16} << 20;

bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

// Where the text or comment that begins at `at` ends; one that does not end goes to the end of its
// line, or of the file if it may have several lines.
std::size_t end_of_quoted(std::string_view text, std::size_t at) {
  const char quote = text[at];
  if (quote == '#') return std::min(text.find('\n', at), text.size());
  const std::string three(3, quote);
  const bool long_form = text.substr(at).starts_with(three);
  const std::string_view closing = long_form ? std::string_view(three) : text.substr(at, 1);
  for (std::size_t i = at + closing.size(); i < text.size(); ++i) {
    if (text[i] == '\n' && !long_form) return i;
    if (text[i] == '\\' && quote == '"') {
      ++i;
      continue;
    }
    if (text.substr(i).starts_with(closing)) return i + closing.size();
  }
  return text.size();
}

// The first character beyond ASCII outside texts and comments; npos: there is none.
std::size_t misplaced_character(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    if (text[i] == '"' || text[i] == '\'' || text[i] == '#')
      i = end_of_quoted(text, i);
    else if (!is_ascii(text[i]))
      return i;
    else
      ++i;
  }
  return std::string_view::npos;
}

// What the library quotes of the file may be a line break.
std::string in_one_line(std::string_view text) {
  std::string out(text);
  std::replace_if(out.begin(), out.end(), is_control, '?');
  return out;
}

}  // namespace

toml::table parse_toml(std::string_view text, const std::string& name) {
  const auto refuse = [&](long line, std::string_view why) {
    fail(ErrorKind::kUsage, name, ":", line, ": ", why);
  };
  const auto line_of = [&](std::size_t at) {
    return 1 + static_cast<long>(std::count(text.begin(), text.begin() + std::ptrdiff_t(at), '\n'));
  };
  if (!is_utf8(text)) fail(ErrorKind::kUsage, name, ": expected text in UTF-8, found other bytes");
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (const std::size_t at = misplaced_character(text); at != std::string_view::npos)
    refuse(line_of(at),
           "expected only ASCII outside of quotes and comments; put the value in quotes");
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& e) {
    refuse(static_cast<long>(e.source().begin.line), in_one_line(e.description()));
  }
  return {};
}

toml::table read_toml(const std::string& path) {
  return parse_toml(read_file(path, kMostBytes, ErrorKind::kUsage), path);
}

std::optional<std::string> scalar_text(const toml::node& node) {
  if (const auto s = node.value_exact<std::string>()) return s;
  if (const auto i = node.value_exact<std::int64_t>()) return cat(*i);
  if (const auto d = node.value_exact<double>()) return cat(*d);
  if (const auto b = node.value_exact<bool>()) return cat(*b);
  return {};
}

}  // namespace scrl
