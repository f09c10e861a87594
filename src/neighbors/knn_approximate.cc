#include "neighbors/knn_approximate.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/parallel.h"
#include "neighbors/knn_descent.h"
#include "neighbors/knn_forest.h"
#include "neighbors/knn_search.h"
#include "neighbors/repeated_rows.h"

namespace scrl {
namespace {

// Short lists lead nowhere: neighbours of neighbours are sought with at least this many.
constexpr int kShortest = 12;

void compare_within(const knn::Rows& rows, std::span<const NodeId> leaf, knn::Lists& lists) {
  const knn::Rows members = knn::subset(rows, leaf);
  std::vector<NodeId> every(leaf.size());
  std::iota(every.begin(), every.end(), NodeId{0});
  std::vector<knn::Best> best(leaf.size(), knn::Best(lists.k));
  for (std::size_t n = 0; n < leaf.size(); ++n) lists.load(rows, leaf[n], best[n]);
  knn::Search(members, every).run(every, best);
  for (std::size_t n = 0; n < leaf.size(); ++n) lists.save(leaf[n], best[n]);
}

Neighbours search_by_leaves(const CsrView& X, int k, const ApproximateOptions& options) {
  const knn::Rows rows = knn::prepare(X);
  knn::Lists lists(X.rows, std::max(k, kShortest));
  bool whole = false;  // one leaf has them all
  for (int number = 0; number < options.trees && !whole; ++number) {
    const knn::Leaves leaves = knn::split_into_leaves(rows, options.leaf, number);
    whole = leaves.size() <= 1;
    parallel_for(leaves.size(), 1,
                 [&](Index c, Index) { compare_within(rows, leaves.leaf(c), lists); });
  }
  if (!whole) {
    knn::NnDescent refinement(rows, lists);
    for (int round = 0; round < options.rounds; ++round)
      if (refinement.round() * 1000 < X.rows) break;
  }

  Neighbours out{.nodes = X.rows, .k = k};
  out.id.resize(static_cast<std::size_t>(X.rows * k));
  out.similarity.resize(out.id.size());
  for (Index i = 0; i < X.rows; ++i) {
    for (int n = 0; n < k; ++n) {
      const NodeId j = lists.id[i * lists.k + n];
      const float dot = lists.dot[i * lists.k + n];
      out.id[i * k + n] = j;
      out.similarity[i * k + n] =
          j < 0 ? 0.0f : knn::Best::cosine(dot, rows.squares[i] * rows.squares[j]);
    }
  }
  return out;
}

}  // namespace

Neighbours nearest_approximate(const CsrView& X, int k, const ApproximateOptions& options) {
  check(k >= 1 && k <= kMaxNeighbours, "nearest: expected k in 1..", kMaxNeighbours, ", got ", k);
  return search_repeated_rows(
      X, k, [&](const CsrView& rows, int count) { return search_by_leaves(rows, count, options); });
}

}  // namespace scrl
