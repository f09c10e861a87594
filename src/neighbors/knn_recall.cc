#include "neighbors/knn_recall.h"

#include <algorithm>
#include <numeric>

#include "base/rng.h"

namespace scrl {

Recall recall(const Csr& X, const Neighbours& result, std::span<const NodeId> sample) {
  const int k = result.k;
  const Neighbours exact = nearest_of(X, k, sample);
  Index wanted = 0, found = 0;
  double similarity = 0, best_similarity = 0;
  for (std::size_t s = 0; s < sample.size(); ++s) {
    const NodeId* right = exact.id.data() + s * k;
    const float* right_similarity = exact.similarity.data() + s * k;
    const float* got = result.similarity.data() + Index{sample[s]} * k;
    const auto have = std::find(right, right + k, NodeId{-1}) - right;
    for (int n = 0; n < have; ++n) {
      found += got[n] >= right_similarity[have - 1];
      similarity += got[n];
      best_similarity += right_similarity[n];
    }
    wanted += have;
  }
  if (wanted == 0) return {};
  return {.found = static_cast<double>(found) / static_cast<double>(wanted),
          .similarity = similarity / best_similarity};
}

std::vector<NodeId> sample_rows(Index rows, Index count) {
  std::vector<NodeId> every(static_cast<std::size_t>(rows));
  std::iota(every.begin(), every.end(), NodeId{0});
  if (count >= rows) return every;
  Rng rng(0, Purpose::kNeighbours, 0xFFFFFF);
  for (Index n = 0; n < count; ++n) std::swap(every[n], every[n + rng.below(rows - n)]);
  every.resize(static_cast<std::size_t>(count));
  std::sort(every.begin(), every.end());
  return every;
}

}  // namespace scrl
