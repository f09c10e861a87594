// paper/settings_text.h: the bytes of settings.toml, put into the program by
// cmake/embed_text.cmake.
#pragma once
#include <string_view>

namespace scrl {

std::string_view settings_text();

}  // namespace scrl
