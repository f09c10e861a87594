// draw/axis.h: the axis of a chart: its ends, where it has ticks and what they say.
#pragma once
#include <string>
#include <vector>

namespace scrl {

struct Tick {
  double value = 0;
  std::string text;
};

struct Axis {
  double low = 0, high = 1;
  bool log = false;
  std::vector<Tick> ticks;

  // Where `value` lies between `from` (low) and `to` (high); beyond the ends at the ends.
  double place(double value, double from, double to) const;
};

// Steps of 1, 2 or 5 times a power of ten, at most `most` of them (at least 2), and ends at ticks
// that enclose both values. Values that are equal get room on both sides.
Axis linear_axis(double low, double high, int most = 6);
// Whole powers of ten that enclose both values, which are above 0; 2 and 5 are ticks too if there
// are at most two powers.
Axis log_axis(double low, double high);
// Ticks at these values, which ascend, and a little room beyond the first and the last.
Axis value_axis(const std::vector<double>& values);

}  // namespace scrl
