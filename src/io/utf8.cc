#include "io/utf8.h"

#include <algorithm>

namespace scrl {

std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const unsigned lead = byte(0);
  if (lead < 0x80) return text.empty() ? 0 : 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  const std::size_t length = lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  // The second byte alone tells overlong forms, surrogates and numbers too large.
  const unsigned low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const unsigned high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  if (byte(1) < low || byte(1) > high) return 0;
  for (std::size_t k = 2; k < length; ++k) {
    if (byte(k) < 0x80 || byte(k) > 0xbf) return 0;
  }
  return length;
}

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

std::u32string unicode(std::string_view text) {
  std::u32string out;
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(1, utf8_length(text));
    const auto lead = static_cast<unsigned char>(text[0]);
    char32_t code = length == 1 ? lead : lead & (0x7fu >> length);
    for (std::size_t k = 1; k < length; ++k) code = code << 6 | (text[k] & 0x3f);
    out += code;
    text.remove_prefix(length);
  }
  return out;
}

bool append_utf8(std::string& text, std::uint32_t code) {
  if (code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return false;
  const int more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr unsigned kLead[] = {0, 0xc0, 0xe0, 0xf0};
  text += static_cast<char>(kLead[more] | code >> (6 * more));
  for (int k = more - 1; k >= 0; --k) text += static_cast<char>(0x80 | (code >> (6 * k) & 0x3f));
  return true;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 32 || c == 127; }

}  // namespace scrl
