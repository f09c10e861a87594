// models/kmeans_start.h: first centres for k-means. Internal to models/kmeans*.
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

}  // namespace scrl
