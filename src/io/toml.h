// io/toml.h: values of TOML files as the texts that options take.
#pragma once
#include <toml++/toml.h>

#include <optional>
#include <string>

namespace scrl {

// A text, number or boolean; none: something nested.
std::optional<std::string> scalar_text(const toml::node& node);

}  // namespace scrl
