#include "io/toml.h"

#include "base/error.h"

namespace scrl {

std::optional<std::string> scalar_text(const toml::node& node) {
  if (const auto s = node.value_exact<std::string>()) return s;
  if (const auto i = node.value_exact<std::int64_t>()) return cat(*i);
  if (const auto d = node.value_exact<double>()) return cat(*d);
  if (const auto b = node.value_exact<bool>()) return cat(*b);
  return {};
}

}  // namespace scrl
