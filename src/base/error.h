// base/error.h: how the program fails: cat() builds a message, check() throws it.
//
// check() guards conditions that callers can violate and costs one branch; assert() stays for
// invariants of hot loops.
#pragma once
#include <charconv>
#include <string>
#include <string_view>
#include <type_traits>

#include "scrl/error.h"

namespace scrl {

namespace detail {
inline void append(std::string& out, std::string_view text) { out += text; }
inline void append(std::string& out, char c) { out += c; }
template <class T>
requires std::is_same_v<T, bool>  // a plain bool overload would also take every char pointer
void append(std::string& out, T b) { out += b ? "true" : "false"; }
template <class T>
requires(std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) void append(std::string& out,
                                                                          T number) {
  char buffer[64];
  const auto end = std::to_chars(buffer, buffer + sizeof buffer, number).ptr;
  out.append(buffer, end);
}
}  // namespace detail

// Concatenates text and numbers; numbers in their shortest form that reads back to the same value.
template <class... Parts>
std::string cat(const Parts&... parts) {
  std::string out;
  (detail::append(out, parts), ...);
  return out;
}

template <class... Parts>
[[noreturn]] void fail(ErrorKind kind, const Parts&... parts) {
  throw Error(kind, cat(parts...));
}

template <class... Parts>
void check(bool ok, const Parts&... parts) {
  if (!ok) [[unlikely]]
    fail(ErrorKind::kRun, parts...);
}

}  // namespace scrl
