// io/utf8.h: whether bytes are text that every output format can carry.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace scrl {

// Bytes of the well-formed character that begins here; 0: none does, or the text is empty.
std::size_t utf8_length(std::string_view text);

// Well-formed as Unicode defines it: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text);

// The same text as code points. REQUIRES: is_utf8(text).
std::u32string unicode(std::string_view text);
// Adds one character; false, and nothing is added, where there is none of this number.
bool append_utf8(std::string& text, std::uint32_t code);

// A byte below 32, or 127.
bool is_control(char c);

}  // namespace scrl
