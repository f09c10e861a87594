// points/knn_cells.h: cuts the rows of a matrix into cells of similar rows. Internal to
// points/knn*.
//
// A part of the rows is cut in two along the direction in which a sample of it differs most, at the
// median, until parts are small enough: balanced, so time is O(nnz log(rows / largest)) whatever
// the data. Cuttings of different number start from other rows and fall differently.
#pragma once
#include <span>
#include <vector>

#include "points/knn_rows.h"

namespace scrl::knn {

struct Cells {
  std::vector<NodeId> rows;  // cell after cell, ascending within one
  std::vector<Index> begin;  // of each cell; one more at the end

  Index size() const { return static_cast<Index>(begin.size()) - 1; }
  std::span<const NodeId> cell(Index c) const {
    return {rows.data() + begin[c], static_cast<std::size_t>(begin[c + 1] - begin[c])};
  }
};

// Every row that is not empty is in one cell of at most `largest` rows.
// REQUIRES: largest >= 1.
Cells cut_into_cells(const Rows& rows, Index largest, int number);

}  // namespace scrl::knn
