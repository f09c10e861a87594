// tensor/distance.h: distance of two rows in double precision.
#pragma once
#include "tensor/matrix.h"

namespace scrl {

// |a - b|^2 of two rows of `padded` floats, a multiple of kLane, in double.
inline double squared_distance(const float* a, const float* b, Index padded) {
  double sums[kLane] = {};  // side by side: a fixed order that a compiler may still vectorise
  for (Index j = 0; j < padded; j += kLane) {
    for (Index s = 0; s < kLane; ++s) {
      const double difference = double{a[j + s]} - b[j + s];
      sums[s] += difference * difference;
    }
  }
  double total = 0;
  for (const double sum : sums) total += sum;
  return total;
}

}  // namespace scrl
