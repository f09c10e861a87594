// neighbors/knn_leaf.h: compares all rows of a leaf with each other, by lists of the rows that have
// a feature. Internal to neighbors/knn*.
//
// A leaf is cut into tiles so small that a sum for each row of a tile stays in the nearest caches.
// Where every value is 1 a sum is a count of 16 bits and a list holds row numbers alone: about half
// a nanosecond per common feature of two rows.
#pragma once
#include <span>

#include "neighbors/knn_rows.h"

namespace scrl::knn {

// Offers every row of the leaf to the lists of all others. Called inside a parallel body it stays
// in that thread.
void compare_within(const Rows& rows, std::span<const NodeId> leaf, Lists& lists);

// About how many rows a leaf of these rows may have for one of them to be compared with the others
// in `nanoseconds`.
Index leaf_for_time(const Rows& rows, double nanoseconds);

}  // namespace scrl::knn
