// models/kmeans.h: k-means by Lloyd's iterations, from a k-means++ start.
//
// Repeats until no point changes its cluster: a point goes to its nearest centre, the smaller
// cluster number on ties; a centre becomes the mean of its points. A cluster that is left without
// points takes the one farthest from its centre, of those that are not alone in theirs.
// The start is that of models/kmeans_start.h.
// Distances come from dense products in float, of points taken relative to their mean; means and
// inertia are summed in double in a fixed order, so bits do not depend on the number of threads.
#pragma once
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "tensor/matrix.h"

namespace scrl {

struct Clusters {
  Matrix centres;                // clusters x columns
  std::vector<std::int32_t> of;  // cluster of each row: its nearest centre
  double inertia = 0;            // sum of squared distances of rows to their centres
  int iterations = 0;            // how often centres were moved
};

// Memory beside the result: O(size of Z + rows * ln(clusters) + clusters * columns). With fewer
// distinct rows than clusters, some clusters stay empty. Throws kUsage if there are fewer rows than
// clusters or no clusters, kDiverged if Z holds what is not a finite number.
Clusters kmeans(const Matrix& Z, Index clusters, int max_iterations, std::uint64_t seed);
// That memory.
Index kmeans_floats(Index points, Index width, Index clusters);

// From given centres, one per row.
Clusters kmeans(const Matrix& Z, const Matrix& initial_centres, int max_iterations);

}  // namespace scrl
