// io/fields.h: the fields of one line of text, and numbers read from them.
//
// Separators are a tab, a semicolon, a comma, or any run of spaces and tabs. A field may be quoted
// ("a, b"); a quote inside is doubled. A quoted field does not go on in the next line.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "io/line_reader.h"

namespace scrl {

enum class Separator : char { kTab = '\t', kSemicolon = ';', kComma = ',', kSpace = ' ' };

// The first of tab, semicolon, comma that occurs outside quotes in the current line; else kSpace,
// or, in a file called .csv or .tsv (where a space belongs to its field), kComma: one field a line.
Separator detect_separator(const LineReader& reader);

class Fields {
 public:
  explicit Fields(Separator separator) : separator_(separator) {}

  // Cuts the current line of the reader; the result is valid until the reader or this moves on.
  const std::vector<std::string_view>& split(const LineReader& reader);

  // Only the first field; `rest` is what follows its separator.
  std::string_view first(const LineReader& reader, std::string_view& rest);

 private:
  std::string_view start(const LineReader& reader);
  // Cuts one field off `rest`; `more` tells whether a separator followed it.
  std::string_view take(std::string_view& rest, bool& more, const LineReader& reader);
  std::string_view quoted_field(std::string_view& rest, const LineReader& reader);

  Separator separator_;
  std::vector<std::string_view> fields_;
  std::string unescaped_;
};

std::string_view trimmed(std::string_view text);
// A line that is one field: without the quotes around it, if it has any, and doubled ones inside.
std::string unquoted(std::string_view line);  // without spaces and tabs at both ends
std::string lower(std::string_view text);     // ASCII letters only

// The whole text or nothing; an optional '+' is allowed before floats.
bool parse_int(std::string_view text, Index& out);
bool parse_float(std::string_view text, float& out);  // may be nan or infinite

// As parse_float; throws "file:line: what: expected a finite number, found ..." otherwise.
float finite_float(std::string_view text, std::string_view what, const LineReader& reader);

// For names that are written out again: throws unless `text`, found in line `line`, is UTF-8
// without control characters.
void check_name(std::string_view text, std::string_view what, const LineReader& reader, Index line);

}  // namespace scrl
