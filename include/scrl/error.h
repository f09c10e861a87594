// scrl/error.h: the one exception type of the library.
//
// Every failure that a user can cause or meet is thrown as scrl::Error. The message is complete by
// itself (where, what was found, what was expected, what to do); the kind is also the exit code of
// the command-line program.
#pragma once
#include <stdexcept>
#include <string>

namespace scrl {

enum class ErrorKind {
  kRun = 1,        // anything else
  kUsage = 2,      // unknown option, value out of range
  kData = 3,       // malformed or missing input
  kModelFile = 4,  // damaged or incompatible model, checkpoint
  kResource = 5,   // refused: not enough memory or disk
  kDiverged = 6,   // the loss is no longer a number
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

}  // namespace scrl
