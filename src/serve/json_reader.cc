#include "serve/json_reader.h"

#include <algorithm>

#include "io/line_reader.h"
#include "io/utf8.h"

namespace scrl {
namespace {

constexpr std::size_t kShownKey = 60;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view kind_of(char first) {
  switch (first) {
    case '{':
      return "an object";
    case '[':
      return "a list";
    case '"':
      return "a text";
    case 't':
    case 'f':
      return "true or false";
    case 'n':
      return "null";
    default:
      return "a number";
  }
}

}  // namespace

std::string JsonReader::place() const {
  std::string out;
  for (const Step& s : steps_) {
    if (s.item >= 0) {
      out += cat("[", s.item, "]");
    } else if (!s.key.empty()) {
      std::size_t size = std::min(s.key.size(), kShownKey);
      while (size < s.key.size() && (s.key[size] & 0xC0) == 0x80) --size;  // no half character
      if (!out.empty()) out += '.';
      for (const char c : std::string_view(s.key).substr(0, size)) out += is_control(c) ? '?' : c;
    }
  }
  return out;
}

void JsonReader::refuse_text(const std::string& detail) const {
  const std::string at = place();
  throw Problem(422, at.empty() ? detail : cat(at, ": ", detail), at);
}

void JsonReader::broken(std::string_view expected) const {
  const std::string_view found =
      text_.substr(at_, std::max<std::size_t>(1, utf8_length(text_.substr(at_))));
  const std::string shown_found = at_ >= text_.size() ? "the end" : shown(found);
  throw Problem(400, cat("the body is not JSON: byte ", at_, ": expected ", expected, ", found ",
                         shown_found));
}

char JsonReader::next() {
  while (at_ < text_.size() &&
         (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r'))
    ++at_;
  return at_ < text_.size() ? text_[at_] : '\0';
}

bool JsonReader::take(char c) {
  if (next() != c || at_ >= text_.size()) return false;
  ++at_;
  return true;
}

// `what`: the kind of value that begins with `first`.
void JsonReader::expect(char first, std::string_view what) {
  const char c = next();
  if (c != '\0' && c == first) {
    ++at_;
    return;
  }
  if (c == '-' || is_digit(c) || std::string_view("{[\"tfn").find(c) != std::string_view::npos)
    refuse("expected ", what, ", found ", kind_of(c));
  broken("a value");
}

void JsonReader::more_or(char close, bool& more) {
  more = take(',');
  if (!more && !take(close)) broken(close == '}' ? "',' or '}'" : "',' or ']'");
}

void JsonReader::object(FunctionRef<void(const std::string& key)> member) {
  expect('{', "an object");
  if (take('}')) return;
  steps_.emplace_back();
  const std::size_t depth = steps_.size();
  for (bool more = true; more;) {
    if (next() != '"') broken("a key in quotes");
    ++at_;
    steps_[depth - 1].key = quoted();
    if (!take(':')) broken("':'");
    const std::string key = steps_[depth - 1].key;
    member(key);
    more_or('}', more);
  }
  steps_.pop_back();
}

void JsonReader::array(FunctionRef<void()> item) {
  expect('[', "a list");
  if (take(']')) return;
  steps_.push_back({.key = {}, .item = 0});
  const std::size_t depth = steps_.size();
  for (bool more = true; more;) {
    item();
    ++steps_[depth - 1].item;
    more_or(']', more);
  }
  steps_.pop_back();
}

bool JsonReader::at_object() { return next() == '{'; }

std::string JsonReader::text() {
  expect('"', "a text");
  return quoted();
}

std::string_view JsonReader::number() {
  const char first = next();
  if (first != '-' && !is_digit(first)) expect('\0', "a number");
  const std::size_t begin = at_;
  const auto digits = [&] {
    if (at_ >= text_.size() || !is_digit(text_[at_])) broken("a digit");
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
  };
  const auto here = [&](std::string_view any) {
    return at_ < text_.size() && any.find(text_[at_]) != std::string_view::npos;
  };
  if (here("-")) ++at_;
  if (here("0")) {
    ++at_;
  } else {
    digits();
  }
  if (here(".")) ++at_, digits();
  if (here("eE")) {
    ++at_;
    if (here("+-")) ++at_;
    digits();
  }
  return text_.substr(begin, at_ - begin);
}

void JsonReader::end() {
  next();
  if (at_ < text_.size()) broken("nothing more");
}

// The quote has been read.
std::string JsonReader::quoted() {
  std::string out;
  for (;;) {
    const std::size_t stop = text_.find_first_of("\"\\", at_);
    const std::string_view plain =
        text_.substr(at_, (stop == text_.npos ? text_.size() : stop) - at_);
    for (std::size_t i = 0; i < plain.size();) {
      const std::size_t length = utf8_length(plain.substr(i));
      if (length == 0 || static_cast<unsigned char>(plain[i]) < 0x20) {
        at_ += i;
        broken(length == 0 ? "UTF-8" : "no control character");
      }
      i += length;
    }
    out += plain;
    at_ += plain.size();
    if (stop == text_.npos) broken("a closing quote");
    if (text_[at_++] == '"') return out;
    escape(out);
  }
}

void JsonReader::escape(std::string& out) {
  constexpr std::string_view kNames = "\"\\/bfnrt", kMeant = "\"\\/\b\f\n\r\t";
  if (at_ >= text_.size()) broken("a character after \\");
  if (const std::size_t which = kNames.find(text_[at_]); which != kNames.npos) {
    out += kMeant[which];
    ++at_;
    return;
  }
  if (text_[at_] != 'u') broken("one of \"\\/bfnrtu after \\");
  ++at_;
  unsigned c = hex4();
  if (c >= 0xD800 && c < 0xDC00) {
    if (text_.substr(at_, 2) != "\\u") broken("the second half of a surrogate pair");
    at_ += 2;
    const unsigned low = hex4();
    if (low < 0xDC00 || low > 0xDFFF) broken("the second half of a surrogate pair before this");
    c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
  } else if (c >= 0xDC00 && c < 0xE000) {
    broken("the first half of a surrogate pair before this");
  }
  append_utf8(out, c);
}

unsigned JsonReader::hex4() {
  unsigned out = 0;
  for (int i = 0; i < 4; ++i, ++at_) {
    const char c = at_ < text_.size() ? text_[at_] : '\0';
    const int digit = is_digit(c)            ? c - '0'
                      : c >= 'a' && c <= 'f' ? c - 'a' + 10
                      : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                             : -1;
    if (digit < 0) broken("four hexadecimal digits");
    out = 16 * out + static_cast<unsigned>(digit);
  }
  return out;
}

void append_json_text(std::string& out, std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  out += '"';
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      (out += '\\') += c;
    } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
      ((out += "\\u00") += kHex[(c >> 4) & 0xF]) += kHex[c & 0xF];
    } else {
      out += c;
    }
  }
  out += '"';
}

}  // namespace scrl
