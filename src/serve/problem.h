// serve/problem.h: what is wrong with a request, as the status and the fields of an
// application/problem+json answer (RFC 9457).
#pragma once
#include <string>

#include "base/error.h"

namespace scrl {

class Problem : public Error {
 public:
  // `field`: the place in the body, as in "nodes[3].features.12"; empty: the request as a whole.
  Problem(int status, const std::string& detail, std::string field = "")
      : Error(ErrorKind::kData, detail), status_(status), field_(std::move(field)) {}
  int status() const { return status_; }
  const std::string& field() const { return field_; }

 private:
  int status_;
  std::string field_;
};

template <class... Parts>
[[noreturn]] void refuse(int status, const Parts&... parts) {
  throw Problem(status, cat(parts...));
}

}  // namespace scrl
