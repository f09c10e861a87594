#include "neighbors/knn_index.h"

#include <algorithm>

#include "base/error.h"
#include "base/parallel.h"

namespace scrl {
namespace {

constexpr Index kQueriesPerChunk = 16;  // share scratch memory of one float per row

}  // namespace

KnnIndex::KnnIndex(const CsrView& X) : rows_(knn::prepare(X)), by_feature_(transpose(rows_.x)) {}

Csr KnnIndex::nearest(const Csr& queries, int k) const {
  check(queries.cols == cols(), "KnnIndex: rows of ", cols(), " columns, queries of ",
        queries.cols);
  const knn::Rows asked = knn::prepare(queries);
  std::vector<std::vector<NodeId>> found(static_cast<std::size_t>(queries.rows));
  parallel_for(queries.rows, kQueriesPerChunk, [&](Index begin, Index end) {
    std::vector<float> dot(static_cast<std::size_t>(rows_.x.rows));
    std::vector<NodeId> touched;
    for (Index q = begin; q < end; ++q) {
      const auto columns = asked.x.row_cols(q);
      const auto values = asked.x.row_vals(q);
      for (std::size_t e = 0; e < columns.size(); ++e) {
        const auto rows = by_feature_.row_cols(columns[e]);
        const auto weights = by_feature_.row_vals(columns[e]);
        for (std::size_t r = 0; r < rows.size(); ++r) {
          if (dot[rows[r]] == 0) touched.push_back(rows[r]);
          dot[rows[r]] += values[e] * weights[r];
        }
      }
      // A row whose products cancel out on the way may be listed twice; offer() takes it once.
      knn::Best best(k);
      for (const NodeId j : touched)
        if (dot[j] * rows_.inverse_norm[j] > best.threshold())
          best.offer(j, dot[j], rows_.squares[j]);
      for (const NodeId j : touched) dot[j] = 0;
      touched.clear();
      found[q] = best.ids();
      std::ranges::sort(found[q]);
    }
  });
  Csr out{.rows = queries.rows, .cols = rows_.x.rows};
  for (const std::vector<NodeId>& ids : found) {
    out.col.insert(out.col.end(), ids.begin(), ids.end());
    out.row_ptr.push_back(static_cast<Index>(out.col.size()));
  }
  out.val.assign(out.col.size(), 1.0f);
  return out;
}

}  // namespace scrl
