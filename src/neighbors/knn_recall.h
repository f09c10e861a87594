// neighbors/knn_recall.h: how much of the exact neighbours a result has.
#pragma once
#include <span>

#include "neighbors/knn.h"

namespace scrl {

struct Recall {
  double found = 1;       // of the neighbours that an exact search finds
  double similarity = 1;  // sum of similarities, as a share of that of the exact search
};

// Looks at the rows `sample` of X only, each of which is searched exactly. A neighbour counts as
// found if it is as similar as the last of the k exact ones: which of equals are named is chance.
Recall recall(const Csr& X, const Neighbours& result, std::span<const NodeId> sample);

// `count` rows of X at random, or all if there are no more; ascending.
std::vector<NodeId> sample_rows(Index rows, Index count);

}  // namespace scrl
