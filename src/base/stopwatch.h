// base/stopwatch.h: time that has passed.
#pragma once
#include <chrono>

namespace scrl {

class Stopwatch {
 public:
  double ms() const {
    return std::chrono::duration<double, std::milli>(Clock::now() - start_).count();
  }
  double seconds() const { return ms() / 1e3; }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point start_ = Clock::now();
};

}  // namespace scrl
