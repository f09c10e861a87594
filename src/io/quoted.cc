#include "io/quoted.h"

#include <string_view>

namespace scrl {
namespace {

// A reader that skips comments and blanks around a line gives back the same text.
bool keeps_as_line(const std::string& text) {
  constexpr std::string_view kBlanks = " \t";
  return !text.empty() && text.front() != '#' && text.front() != '%' && text.front() != '"' &&
         kBlanks.find(text.front()) == kBlanks.npos && kBlanks.find(text.back()) == kBlanks.npos;
}

}  // namespace

std::string in_quotes(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out += '"';
    out += c;
  }
  return out + "\"";
}

std::string csv_field(const std::string& text) {
  const bool plain = text.find_first_of(",\"\r\n") == std::string::npos && keeps_as_line(text);
  return plain ? text : in_quotes(text);
}

std::string id_line(const std::string& id) { return keeps_as_line(id) ? id : in_quotes(id); }

}  // namespace scrl
