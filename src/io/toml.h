// io/toml.h: TOML files, and their values as the texts that options take.
#pragma once
#include <toml++/toml.h>

#include <optional>
#include <string>
#include <string_view>

namespace scrl {

// Throws Error(kUsage) "NAME:LINE: ...". Characters beyond ASCII stand in texts and comments only,
// as TOML has it: they are looked for before the library sees the text, because toml++ 3.3 has
// undefined behaviour on some of them elsewhere.
toml::table parse_toml(std::string_view text, const std::string& name);
toml::table read_toml(const std::string& path);  // likewise; at most 16 MB

// A text, number or boolean; none: something nested.
std::optional<std::string> scalar_text(const toml::node& node);

}  // namespace scrl
