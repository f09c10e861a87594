#include "io/fields.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "io/utf8.h"

namespace scrl {

Separator detect_separator(const LineReader& reader) {
  std::string_view name = reader.name();
  if (name.ends_with(".gz")) name.remove_suffix(3);
  const bool table = name.ends_with(".csv") || name.ends_with(".tsv");
  bool inside = false, tab = false, semicolon = false, comma = false;
  for (const char c : reader.line()) {
    if (c == '"') inside = !inside;
    if (inside) continue;
    tab |= c == '\t';
    semicolon |= c == ';';
    comma |= c == ',';
  }
  if (tab) return Separator::kTab;
  if (semicolon) return Separator::kSemicolon;
  return comma || table ? Separator::kComma : Separator::kSpace;
}

const std::vector<std::string_view>& Fields::split(const LineReader& reader) {
  fields_.clear();
  std::string_view rest = start(reader);
  for (bool more = true; more;) fields_.push_back(take(rest, more, reader));
  return fields_;
}

std::string_view Fields::first(const LineReader& reader, std::string_view& rest) {
  rest = start(reader);
  bool more = false;
  return take(rest, more, reader);
}

std::string_view Fields::start(const LineReader& reader) {
  // A tab at the end of a tab-separated line is an empty field.
  const std::string_view line =
      separator_ == Separator::kTab ? reader.line() : trimmed(reader.line());
  unescaped_.clear();
  unescaped_.reserve(line.size());  // views into it stay valid because it never grows
  return line;
}

std::string_view Fields::take(std::string_view& rest, bool& more, const LineReader& reader) {
  const bool spaced = separator_ == Separator::kSpace;
  std::string_view field;
  while (rest.starts_with(' ')) rest.remove_prefix(1);
  if (rest.starts_with('"')) {
    field = quoted_field(rest, reader);
  } else {
    const std::size_t stop =
        spaced ? rest.find_first_of(" \t") : rest.find(static_cast<char>(separator_));
    const std::size_t length = std::min(stop, rest.size());
    field = trimmed(rest.substr(0, length));
    rest.remove_prefix(length);
  }
  more = !rest.empty();
  if (more) rest.remove_prefix(1);
  while (spaced && (rest.starts_with(' ') || rest.starts_with('\t'))) rest.remove_prefix(1);
  return field;
}

// `rest` starts with the quote; left at the separator or empty.
std::string_view Fields::quoted_field(std::string_view& rest, const LineReader& reader) {
  const std::size_t begin = unescaped_.size();
  rest.remove_prefix(1);
  for (;;) {
    const std::size_t quote = rest.find('"');
    if (quote == rest.npos) {
      reader.fail("expected a closing quote in the same line, found end of line");
    }
    unescaped_.append(rest.substr(0, quote));
    rest.remove_prefix(quote + 1);
    if (!rest.starts_with('"')) break;
    unescaped_ += '"';
    rest.remove_prefix(1);
  }
  const bool spaced = separator_ == Separator::kSpace;
  while (!spaced && rest.starts_with(' ')) rest.remove_prefix(1);
  if (!rest.empty() && rest.front() != static_cast<char>(separator_) &&
      !(spaced && rest.front() == '\t')) {
    reader.fail("expected a separator after a closing quote, found ", shown(rest));
  }
  return std::string_view(unescaped_).substr(begin);
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == text.npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

std::string unquoted(std::string_view line) {
  if (line.size() < 2 || line.front() != '"' || line.back() != '"') return std::string(line);
  std::string out;
  for (std::size_t i = 1; i + 1 < line.size(); ++i) {
    if (line[i] == '"' && i + 2 < line.size() && line[i + 1] == '"') ++i;
    out += line[i];
  }
  return out;
}

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

bool parse_int(std::string_view text, Index& out) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  return error == std::errc{} && end == text.data() + text.size();
}

bool parse_float(std::string_view text, float& out) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  const char* const stop = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), stop, out);
  if (end != stop || error == std::errc::invalid_argument) return false;
  if (error == std::errc::result_out_of_range) {
    // Too large or too close to zero: only the wider type tells which.
    double wide = 0;
    const bool fits = std::from_chars(text.data(), stop, wide).ec == std::errc{};
    const bool tiny =
        fits ? std::abs(wide) < 1 : text.find("e-") != text.npos || text.find("E-") != text.npos;
    out = tiny ? 0.0f : INFINITY;
  }
  return true;
}

float finite_float(std::string_view text, std::string_view what, const LineReader& reader) {
  float value = 0;
  if (!parse_float(text, value) || !std::isfinite(value)) {
    reader.fail(what, ": expected a finite number, found ", shown(text));
  }
  return value;
}

void check_name(std::string_view text, std::string_view what, const LineReader& reader,
                Index line) {
  if (!is_utf8(text)) {
    reader.fail_at(line, what, ": ", shown(text),
                   " is not valid UTF-8; convert the file, e.g. with iconv");
  }
  if (std::any_of(text.begin(), text.end(), is_control)) {
    reader.fail_at(line, what, ": ", shown(text), " has a control character, shown as ?");
  }
}

}  // namespace scrl
