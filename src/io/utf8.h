// io/utf8.h: whether bytes are text that every output format can carry.
#pragma once
#include <cstddef>
#include <string_view>

namespace scrl {

// Bytes of the well-formed character that begins here; 0: none does, or the text is empty.
std::size_t utf8_length(std::string_view text);

// Well-formed as Unicode defines it: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text);

// A byte below 32, or 127.
bool is_control(char c);

}  // namespace scrl
