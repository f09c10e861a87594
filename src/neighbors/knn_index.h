// neighbors/knn_index.h: rows kept ready for questions of other rows: which of yours are the
// nearest to me? By the same cosine, in the same order and with the same ties as neighbors/knn.h.
#pragma once
#include "neighbors/knn_rows.h"

namespace scrl {

class KnnIndex {
 public:
  explicit KnnIndex(const CsrView& X);

  // The k nearest rows of X to each row of `queries`, ascending by number: queries x rows, every
  // entry 1. A row has fewer where fewer have a similarity above 0. The answer to a row does not
  // depend on the others. REQUIRES: queries.cols == cols().
  Csr nearest(const Csr& queries, int k) const;
  Index cols() const { return rows_.x.cols; }

 private:
  knn::Rows rows_;
  Csr by_feature_;  // rows of each feature
};

}  // namespace scrl
