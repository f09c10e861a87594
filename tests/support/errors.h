// support/errors.h: what a piece of code throws.
#pragma once
#include <string>

#include "scrl/error.h"

namespace scrl {

// The message of the Error(kind) that `body` throws; otherwise a text that equals no message.
template <class Body>
std::string error_of(const Body& body, ErrorKind kind = ErrorKind::kData) {
  try {
    body();
  } catch (const Error& error) {
    return error.kind() == kind ? error.what() : std::string("(other kind) ") + error.what();
  }
  return "(nothing thrown)";
}
template <class Body>
std::string usage_error_of(const Body& body) {
  return error_of(body, ErrorKind::kUsage);
}

// `text` with every occurrence of `from` replaced.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != text.npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
  return text;
}

}  // namespace scrl
