// io/utf8.h: whether bytes are text that every output format can carry.
#pragma once
#include <string_view>

namespace scrl {

// Well-formed as Unicode defines it: no overlong forms, no surrogates, nothing above U+10FFFF.
bool is_utf8(std::string_view text);

// A byte below 32, or 127.
bool is_control(char c);

}  // namespace scrl
