// neighbors/knn_forest.h: cuts the rows of a matrix into leaves of similar rows. Internal to
// neighbors/knn*.
//
// A part of the rows is cut in two along the direction in which a sample of it differs most, at the
// median, until parts are small enough: balanced, so time is O(nnz log(rows / largest)) whatever
// the data. Each tree of the forest has a number of its own, starts from other rows and differs.
#pragma once
#include <span>
#include <vector>

#include "neighbors/knn_rows.h"

namespace scrl::knn {

struct Leaves {
  std::vector<NodeId> rows;  // leaf after leaf, ascending within one
  std::vector<Index> begin;  // of each leaf; one more at the end

  Index size() const { return static_cast<Index>(begin.size()) - 1; }
  std::span<const NodeId> leaf(Index c) const {
    return {rows.data() + begin[c], static_cast<std::size_t>(begin[c + 1] - begin[c])};
  }
};

// Every row that is not empty is in one leaf of at most `largest` rows.
// REQUIRES: largest >= 1.
Leaves split_into_leaves(const Rows& rows, Index largest, int number);

}  // namespace scrl::knn
