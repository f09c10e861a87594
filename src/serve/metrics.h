// serve/metrics.h: counters of the server, written in the text format of Prometheus. Counting takes
// no lock.
#pragma once
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "serve/router.h"

namespace scrl {

class Histogram {
 public:
  static constexpr std::array<double, 12> kSeconds = {0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025,
                                                      0.05,   0.1,   0.25,   0.5,   1,    2.5};
  void count(double seconds);
  void write(std::string& out, std::string_view name, std::string_view labels) const;

 private:
  std::array<std::atomic<std::uint64_t>, kSeconds.size() + 1> buckets_{};
  std::atomic<std::uint64_t> microseconds_{0};
};

class Metrics {
 public:
  // Of one answered request; status 0: the client left before it had its answer.
  void answered(Route route, int status, double seconds);

  std::atomic<std::uint64_t> known_nodes{0}, new_nodes{0}, batches{0};
  std::atomic<std::uint64_t> reloads{0}, failed_reloads{0};
  std::atomic<std::int64_t> queued_nodes{0}, connections{0}, requests{0};  // at this moment
  std::atomic<std::uint64_t> timed_out{0};                                 // connections

  // `model`: its hash.
  std::string text(std::string_view model, std::string_view method) const;

 private:
  static constexpr std::size_t kRoutes = static_cast<std::size_t>(Route::kNone) + 1;
  static constexpr std::array kStatus = {0, 200, 202, 400, 404, 405, 413, 422, 429, 500, 503};

  std::chrono::system_clock::time_point started_ = std::chrono::system_clock::now();
  std::array<std::array<std::atomic<std::uint64_t>, kStatus.size()>, kRoutes> requests_{};
  std::array<Histogram, kRoutes> seconds_;
};

}  // namespace scrl
