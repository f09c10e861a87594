// neighbors/knn_search.h: compares some rows with all rows, in the faster of two ways. Internal to
// neighbors/knn*.
#pragma once
#include <span>

#include "neighbors/knn_rows.h"

namespace scrl::knn {

// Both ways add the same products in the same order, so the choice between them is one of speed
// alone. Costs are in steps of about 3 ns of one core.
struct Cost {
  double blocked, inverted;
  double least() const { return blocked < inverted ? blocked : inverted; }
};
// Of comparing so many queries with all rows, which hold `nnz` values, in blocks.
double blocked_cost(Index queries, Index rows, Index nnz);
// Of comparing `queries` with all rows; an empty span of queries means every row.
Cost search_cost(const CsrView& x, std::span<const NodeId> queries);

class Search {
 public:
  // Every call of run() together should ask for about `queries`: they decide which way is taken.
  Search(const Rows& rows, std::span<const NodeId> queries);

  // Offers every row but itself to best[n], the list of row queries[n]. Safe to call at the same
  // time. Scratch memory is made per call: ask for a few hundred rows at once.
  void run(std::span<const NodeId> queries, std::span<Best> best) const;

 private:
  const Rows& rows_;
  bool blocked_;
  Csr index_;  // rows by feature, for the inverted way
};

}  // namespace scrl::knn
