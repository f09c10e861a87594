// interrupt.h: Ctrl-C while the engine works without the lock of the interpreter.
#pragma once
#include <chrono>
#include <optional>

#include "binding.h"

namespace scrl::python {

// Asks the interpreter for signals, at most every 50 ms. The error it raises is thrown by
// rethrow(), when the engine has come to an end of its own.
class Interrupt {
 public:
  bool asked() {
    if (raised_ || Clock::now() - looked_ < std::chrono::milliseconds(50)) return raised_;
    looked_ = Clock::now();
    nb::gil_scoped_acquire lock;
    raised_ = PyErr_CheckSignals() != 0;
    if (raised_) error_.emplace();
    return raised_;
  }
  void rethrow() {
    if (raised_) throw std::move(*error_);
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point looked_ = Clock::now();
  bool raised_ = false;
  std::optional<nb::python_error> error_;
};

}  // namespace scrl::python
