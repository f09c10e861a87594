#include "neighbors/knn_approximate.h"

#include <algorithm>

#include "base/error.h"
#include "base/parallel.h"
#include "neighbors/knn_descent.h"
#include "neighbors/knn_forest.h"
#include "neighbors/knn_leaf.h"
#include "neighbors/repeated_rows.h"

namespace scrl {
namespace {

// Short lists lead nowhere: neighbours of neighbours are sought with at least this many.
constexpr int kShortest = 12;
constexpr Index kLeastLeaf = 2048;
constexpr double kLeafTime = 5e3;  // nanoseconds to compare a row with all others of its leaf
constexpr Index kFewChanged = 50;  // refinement ends when fewer than every 50th list changed

// Compares the rows of each leaf: threads share leaves, or one leaf where there are few.
void compare_in_leaves(const knn::Rows& rows, const knn::Leaves& leaves, knn::Lists& lists) {
  constexpr Index kFew = 16;
  if (leaves.size() < kFew) {
    for (Index c = 0; c < leaves.size(); ++c) knn::compare_within(rows, leaves.leaf(c), lists);
  } else {
    parallel_for(leaves.size(), 1,
                 [&](Index c, Index) { knn::compare_within(rows, leaves.leaf(c), lists); });
  }
}

// Similar rows side by side, so that the rows one is compared with are in the caches; without
// empty rows, which have no neighbours.
knn::Rows in_order_of_leaves(const CsrView& X) {
  constexpr Index kLeaf = 1024;
  constexpr int kNumber = 0xFFFF;  // not that of a tree
  const knn::Rows rows = knn::prepare(X);
  return knn::reordered(rows, knn::split_into_leaves(rows, kLeaf, kNumber).rows);
}

Neighbours search_by_leaves(const CsrView& X, int k, const ApproximateOptions& options) {
  const knn::Rows rows = in_order_of_leaves(X);
  const Index leaf =
      options.leaf > 0 ? options.leaf : std::max(kLeastLeaf, knn::leaf_for_time(rows, kLeafTime));
  knn::Lists lists(rows.x.rows, std::max(k, kShortest));
  bool whole = false;  // one leaf has them all
  for (int number = 0; number < options.trees && !whole; ++number) {
    const knn::Leaves leaves = knn::split_into_leaves(rows, leaf, number);
    whole = leaves.size() <= 1;
    compare_in_leaves(rows, leaves, lists);
  }
  if (!whole) {
    knn::NnDescent refinement(rows, lists);
    for (int round = 0; round < options.rounds; ++round)
      if (refinement.round() * kFewChanged < rows.x.rows) break;
  }

  Neighbours out{.nodes = X.rows, .k = k};
  out.id.assign(static_cast<std::size_t>(X.rows * k), -1);
  out.similarity.resize(out.id.size());
  for (Index i = 0; i < rows.x.rows; ++i) {
    const Index to = Index{rows.name[i]} * k;
    for (int n = 0; n < k; ++n) {
      const NodeId j = lists.id[i * lists.k + n];
      if (j < 0) break;
      out.id[to + n] = rows.name[j];
      out.similarity[to + n] =
          knn::Best::cosine(lists.dot[i * lists.k + n], rows.squares[i] * rows.squares[j]);
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
