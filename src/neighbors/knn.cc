#include "neighbors/knn.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/parallel.h"
#include "kernels/block_dots.h"
#include "neighbors/knn_search.h"
#include "neighbors/repeated_rows.h"

namespace scrl {

Neighbours nearest_of(const CsrView& X, int k, std::span<const NodeId> queries) {
  check(k >= 1 && k <= kMaxNeighbours, "nearest: expected k in 1..", kMaxNeighbours, ", got ", k);
  const Index nodes = static_cast<Index>(queries.size());
  Neighbours out{.nodes = nodes, .k = k};
  out.id.assign(static_cast<std::size_t>(nodes * k), -1);
  out.similarity.assign(static_cast<std::size_t>(nodes * k), 0.0f);
  if (nodes == 0) return out;
  const knn::Rows rows = knn::prepare(X);
  const knn::Search search(rows, queries);
  const Index grain = nodes < 2048 ? kernels::kDotBlock : 256;  // few rows: work for every thread
  parallel_for(nodes, grain, [&](Index begin, Index end) {
    std::vector<knn::Best> best(static_cast<std::size_t>(end - begin), knn::Best(k));
    search.run(queries.subspan(begin, best.size()), best);
    for (Index n = begin; n < end; ++n)
      best[n - begin].store(rows, queries[n], out.id.data() + n * k, out.similarity.data() + n * k);
  });
  return out;
}

namespace {

Neighbours nearest_of_all(const CsrView& X, int k) {
  std::vector<NodeId> every(static_cast<std::size_t>(X.rows));
  std::iota(every.begin(), every.end(), NodeId{0});
  return nearest_of(X, k, every);
}

}  // namespace

Neighbours nearest(const CsrView& X, int k) { return search_repeated_rows(X, k, nearest_of_all); }

double exact_work(const CsrView& X) { return knn::search_cost(X, {}).least(); }

double exact_work(Index rows, Index cols) { return knn::blocked_cost(rows, rows, rows * cols); }

}  // namespace scrl
