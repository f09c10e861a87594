// points/kmeans_start.h: first centres for k-means. Internal to points/kmeans*.
#pragma once
#include "base/rng.h"
#include "tensor/matrix.h"

namespace scrl {

// Arthur and Vassilvitskii, "k-means++", SODA 2007: a row is drawn with a probability that grows
// with its squared distance to the nearest centre so far. Of 2 + ln(clusters) draws the one is
// kept that leaves the smallest sum of these distances. Rows should be centred: distances come from
// a dense product in float. Memory beside the result: O(rows * ln(clusters)).
// REQUIRES: 1 <= clusters <= X.rows().
Matrix plus_plus_centres(const Matrix& X, Index clusters, Rng rng);

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
