#include "draw/axis.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/text.h"

namespace scrl {
namespace {

// 10^power without rounding for negative powers that a decimal has.
double power_of_ten(int power) {
  double out = 1;
  for (int i = 0; i < std::abs(power); ++i) out *= 10;
  return power < 0 ? 1 / out : out;
}

}  // namespace

double Axis::place(double value, double from, double to) const {
  const double share =
      log ? std::log(value / low) / std::log(high / low) : (value - low) / (high - low);
  return from + std::clamp(share, 0.0, 1.0) * (to - from);
}

Axis linear_axis(double low, double high, int most) {
  check(low <= high && most >= 2, "an axis goes from a lower to a higher value");
  if (low == high) {
    const double room = low == 0 ? 1 : 0.01 * std::fabs(low);
    low -= room;
    high += room;
  }
  int power = static_cast<int>(std::floor(std::log10((high - low) / most))) - 1;
  for (;; ++power)
    for (const int digit : {1, 2, 5}) {
      const double step = digit * power_of_ten(power);
      // A little less strict than the values, which may be ticks but for the last bit.
      const double first = std::floor(low / step + 1e-9), last = std::ceil(high / step - 1e-9);
      if (last - first > most || last <= first) continue;
      Axis out{.low = first * step, .high = last * step};
      for (int t = 0; t <= static_cast<int>(last - first); ++t) {
        const double value = (first + t) * step;
        out.ticks.push_back({value, number_text(value == 0 ? 0 : value, std::max(0, -power))});
      }
      return out;
    }
}

Axis log_axis(double low, double high) {
  check(0 < low && low <= high, "a logarithmic axis is above zero");
  const int first = static_cast<int>(std::floor(std::log10(low) + 1e-9));
  int last = static_cast<int>(std::ceil(std::log10(high) - 1e-9));
  if (last <= first) last = first + 1;
  Axis out{.low = power_of_ten(first), .high = power_of_ten(last), .log = true};
  for (int power = first; power <= last; ++power)
    for (const int digit : {1, 2, 5}) {
      if (digit > 1 && (last - first > 2 || power == last)) continue;
      out.ticks.push_back({digit * power_of_ten(power),
                           number_text(digit * power_of_ten(power), std::max(0, -power))});
    }
  return out;
}

Axis value_axis(const std::vector<double>& values) {
  check(!values.empty(), "an axis of values has values");
  const double span = values.back() - values.front();
  const double room = span > 0 ? 0.06 * span : 1;
  Axis out{.low = values.front() - room, .high = values.back() + room};
  for (const double v : values) {
    const bool whole = v == std::floor(v);
    out.ticks.push_back({v, number_text(v, whole ? 0 : 2)});
  }
  return out;
}

}  // namespace scrl
