// base/choice.h: enums whose values have names: what an option may choose among.
//
//   enum class Optimizer { kAdam, kSgd };
//   template <>
//   inline constexpr auto kNames<Optimizer> = std::array{"adam", "sgd"};   // in the order of the
//   values
//
//   set.add("optimizer", o.optimizer, "how gradients become steps");
#pragma once
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace scrl {

template <class E>
inline constexpr std::array<const char*, 0> kNames = {};

template <class E>
concept Named = std::is_enum_v<E> && !kNames<E>.empty();

template <Named E>
const char* name_of(E value) {
  return kNames<E>[static_cast<std::size_t>(value)];
}

template <Named E>
std::optional<E> value_named(std::string_view name) {
  for (std::size_t i = 0; i < kNames<E>.size(); ++i)
    if (name == kNames<E>[i]) return static_cast<E>(i);
  return std::nullopt;
}

template <Named E>
std::vector<std::string> all_names() {
  return {kNames<E>.begin(), kNames<E>.end()};
}

// A field of any such type.
struct ChoiceField {
  void* field;
  std::string (*get)(const void*);
  void (*set)(void*, std::string_view name);  // REQUIRES: one of the names

  template <Named E>
  static ChoiceField of(E& field) {
    return {&field, [](const void* f) { return std::string(name_of(*static_cast<const E*>(f))); },
            [](void* f, std::string_view name) { *static_cast<E*>(f) = *value_named<E>(name); }};
  }
};

}  // namespace scrl
