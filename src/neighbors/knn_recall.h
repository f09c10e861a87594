// neighbors/knn_recall.h: how much of the exact neighbours a result has.
#pragma once
#include <span>

#include "neighbors/knn.h"

namespace scrl {

struct Recall {
  double found = 1;          // of the neighbours that an exact search finds
  double low = 0, high = 1;  // 95 % confidence interval of `found` over all rows
  double similarity = 1;     // sum of similarities, as a share of that of the exact search
  Index rows = 0;            // that were looked at
};

// Looks at the rows `sample` of X only, each of which is searched exactly. A neighbour counts as
// found if it is as similar as the last of the k exact ones: which of equals are named is chance.
//
// The interval is Wilson's, for as many independent neighbours as have the variance that was seen
// between rows: those of one row are found or missed together. Of all rows it has no width.
Recall recall(const CsrView& X, const Neighbours& result, std::span<const NodeId> sample);

// `count` rows, or all if there are no more; ascending. Whether a row is among them depends on its
// number and on the numbers of the others, not on an order of drawing.
std::vector<NodeId> sample_rows(Index rows, Index count);

}  // namespace scrl
