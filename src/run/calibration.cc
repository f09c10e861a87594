#include "run/calibration.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace scrl {
namespace {

constexpr double kMost = 20;  // T and 1/T at most
constexpr int kSteps = 60;    // of the search, which ends far below what float can tell

Json number_or_null(double x) { return std::isnan(x) ? Json() : Json(x); }

double number_or_nan(const JsonFields& j, const char* key) {
  return j.value(key).is_null() ? std::numeric_limits<double>::quiet_NaN() : j.number(key, 0);
}

// Loss at T = exp(-a), and the prior, which decides where labels cannot.
double objective(double a, const Matrix& log_probs, std::span<const NodeId> rows,
                 std::span<const std::int32_t> labels) {
  const double sharpness = std::exp(a);
  double sum = a * a / 2;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const auto row = log_probs.row_span(rows[k]);
    const double top = *std::max_element(row.begin(), row.end());
    double total = 0;
    for (const float lp : row) total += std::exp(sharpness * (lp - top));
    sum += std::log(total) - sharpness * (row[static_cast<std::size_t>(labels[k])] - top);
  }
  return sum;
}

}  // namespace

Json to_json(const TemperatureResult& r) {
  return {{"temperature", r.temperature},
          {"labels_from", r.labels_from},
          {"labels", r.labels},
          {"error_before", number_or_null(r.error_before)},
          {"error_after", number_or_null(r.error_after)}};
}

TemperatureResult temperature_from_json(const JsonFields& j) {
  return {.temperature = j.number("temperature", 0),
          .labels_from = j.text("labels_from"),
          .labels = j.integer<Index>("labels"),
          .error_before = number_or_nan(j, "error_before"),
          .error_after = number_or_nan(j, "error_after")};
}

// Golden-section search: the loss is convex in 1/T, so it has one minimum.
double learned_temperature(const Matrix& log_probs, std::span<const NodeId> rows,
                           std::span<const std::int32_t> labels) {
  check(rows.size() == labels.size(), "learned_temperature: ", rows.size(), " rows and ",
        labels.size(), " labels");
  if (rows.empty()) return 1;
  const auto f = [&](double a) { return objective(a, log_probs, rows, labels); };
  const double ratio = (std::sqrt(5.0) - 1) / 2;
  double low = -std::log(kMost), high = std::log(kMost);
  double a = high - ratio * (high - low), b = low + ratio * (high - low);
  double at_a = f(a), at_b = f(b);
  for (int step = 0; step < kSteps; ++step) {
    if (at_a <= at_b) {
      high = b, b = a, at_b = at_a;
      a = high - ratio * (high - low), at_a = f(a);
    } else {
      low = a, a = b, at_a = at_b;
      b = low + ratio * (high - low), at_b = f(b);
    }
  }
  return std::exp(-(low + high) / 2);
}

}  // namespace scrl
