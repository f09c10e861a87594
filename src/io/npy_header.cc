#include "io/npy_header.h"

#include <algorithm>
#include <charconv>

#include "base/error.h"

namespace scrl {
namespace {

constexpr std::size_t kMaxDimensions = 32;
constexpr Index kMaxEmpty = 1'000'000;

class Parser {
 public:
  Parser(std::string_view text, const std::string& name) : text_(text), name_(name) {}

  NpyHeader parse() {
    NpyHeader header;
    bool have_type = false, have_order = false, have_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string_view key = quoted();
      expect(':');
      if (key == "descr") {
        parse_type(header);
        have_type = true;
      } else if (key == "fortran_order") {
        header.fortran_order = boolean();
        have_order = true;
      } else if (key == "shape") {
        header.shape = shape();
        have_shape = true;
      } else {
        refuse("unknown key '", key, "'");
      }
      if (!accept(',') && !peek('}')) refuse("expected ',' or '}'");
    }
    skip_blanks();
    if (!text_.empty()) refuse("text after the dictionary");
    if (!have_type || !have_order || !have_shape) {
      refuse("expected the keys descr, fortran_order and shape");
    }
    return header;
  }

 private:
  template <class... Parts>
  [[noreturn]] void refuse(const Parts&... parts) const {
    fail(ErrorKind::kData, name_, ": bad .npy header: ", parts...);
  }
  template <class... Parts>
  [[noreturn]] void unsupported(const Parts&... parts) const {
    fail(ErrorKind::kData, name_, ": ", parts...);
  }

  void skip_blanks() {
    const auto start = text_.find_first_not_of(" \t\r\n");
    text_.remove_prefix(std::min(start, text_.size()));
  }
  bool peek(char c) {
    skip_blanks();
    return !text_.empty() && text_[0] == c;
  }
  bool accept(char c) {
    const bool found = peek(c);
    if (found) text_.remove_prefix(1);
    return found;
  }
  void expect(char c) {
    if (!accept(c)) refuse("expected '", c, "'");
  }
  std::string_view quoted() {
    skip_blanks();
    const char quote = text_.empty() ? 0 : text_[0];
    if (quote != '\'' && quote != '"') refuse("expected a quoted word");
    const auto end = text_.find(quote, 1);
    if (end == text_.npos) refuse("a quote is not closed");
    const auto word = text_.substr(1, end - 1);
    text_.remove_prefix(end + 1);
    return word;
  }
  bool boolean() {
    skip_blanks();
    for (const std::string_view word : {"False", "True"}) {
      if (text_.starts_with(word)) {
        text_.remove_prefix(word.size());
        return word == "True";
      }
    }
    refuse("fortran_order: expected True or False");
  }
  Index number(std::string_view what) {
    skip_blanks();
    Index value = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + text_.size(), value);
    if (error != std::errc{} || value < 0) refuse(what, ": expected a size");
    text_.remove_prefix(static_cast<std::size_t>(end - text_.data()));
    if (!text_.empty() && text_[0] == 'L') text_.remove_prefix(1);  // as Python 2 wrote it
    return value;
  }
  std::vector<Index> shape() {
    std::vector<Index> sizes;
    Index count = 1;
    expect('(');
    while (!accept(')')) {
      sizes.push_back(number("shape"));
      if (sizes.size() > kMaxDimensions) refuse("shape: more than ", kMaxDimensions, " dimensions");
      if (__builtin_mul_overflow(count, sizes.back(), &count) || count > (Index{1} << 56)) {
        refuse("shape: too many values");
      }
      if (!accept(',') && !peek(')')) refuse("shape: expected ',' or ')'");
    }
    // No bytes would confirm such a size, and readers make room for the rows.
    if (count == 0 && std::ranges::any_of(sizes, [](Index n) { return n > kMaxEmpty; }))
      refuse("shape: a size of ", *std::ranges::max_element(sizes), " in an array without values");
    return sizes;
  }
  void parse_type(NpyHeader& header) {
    if (peek('[')) unsupported("structured arrays are not read, expected an array of numbers");
    std::string_view type = quoted();
    const std::string whole(type);
    const char order = type.empty() ? 0 : type[0];
    if (order == '<' || order == '>' || order == '|' || order == '=') type.remove_prefix(1);
    header.kind = type.empty() ? '\0' : type[0];
    if (header.kind == 'O') {
      unsupported(
          "object arrays are not read (they can run code); save numbers instead, e.g. "
          "array.astype('float32')");
    }
    if (!type.empty()) type.remove_prefix(1);
    const auto [end, error] = std::from_chars(type.data(), type.data() + type.size(), header.width);
    const bool number = error == std::errc{} && end == type.data() + type.size();
    if (!number || !known(header)) {
      unsupported("type '", whole, "' is not read, expected f2 f4 f8, i1..i8, u1..u8 or b1");
    }
    if (order == '>' && (header.width > 1 || header.kind == 'U') && header.kind != 'S') {
      unsupported("big endian type '", whole, "' is not read; save with array.astype('<",
                  whole.substr(1), "')");
    }
  }
  static bool known(const NpyHeader& h) {
    const int w = h.width;
    const bool whole = w == 1 || w == 2 || w == 4 || w == 8;
    switch (h.kind) {
      case 'f':
        return w == 2 || w == 4 || w == 8;
      case 'i':
      case 'u':
        return whole;
      case 'b':
        return w == 1;
      case 'S':
      case 'U':
        return w >= 0 && w <= 1024;
      default:
        return false;
    }
  }

  std::string_view text_;
  const std::string& name_;
};

}  // namespace

NpyHeader parse_npy_header(std::string_view text, const std::string& name) {
  return Parser(text, name).parse();
}

std::string npy_preamble(std::string_view type, const std::vector<Index>& shape) {
  std::string header = cat("{'descr': '", type, "', 'fortran_order': False, 'shape': (");
  for (const Index size : shape) header += cat(size, shape.size() == 1 ? "," : ", ");
  if (shape.size() > 1) header.resize(header.size() - 2);
  header += "), }";
  const std::size_t before = kNpyMagic.size() + 2 + 2;
  while ((before + header.size() + 1) % 64 != 0) header += ' ';  // numpy maps files, so it aligns
  header += '\n';
  std::string out(kNpyMagic);
  out += {1, 0};
  out += {static_cast<char>(header.size() & 255), static_cast<char>(header.size() >> 8)};
  return out + header;
}

}  // namespace scrl
