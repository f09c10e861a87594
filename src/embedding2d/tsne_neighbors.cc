#include "embedding2d/tsne_neighbors.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "neighbors/knn_approximate.h"

namespace scrl {
namespace {

class Filler {
 public:
  Filler(const Csr& X, DenseNeighbours& out) : X_(X), out_(out) {
    for (Index i = 0; i < X.rows; ++i)
      if (X.row_nnz(i) == 0) empty_.push_back(static_cast<NodeId>(i));
  }

  // Row i has `have` neighbours already.
  void fill(Index i, int have) {
    NodeId* const id = out_.id.data() + i * out_.k;
    double* const squared = out_.squared.data() + i * out_.k;
    const auto take = [&](NodeId other, double distance) {
      if (have == out_.k || other == i || std::find(id, id + have, other) != id + have) return;
      id[have] = other, squared[have] = distance;
      ++have;
    };
    if (X_.row_nnz(i) == 0) {
      const auto own = std::lower_bound(empty_.begin(), empty_.end(), i) - empty_.begin();
      const auto count = static_cast<std::ptrdiff_t>(empty_.size());
      for (std::ptrdiff_t s = 1; s < count && have < out_.k; ++s)
        take(empty_[static_cast<std::size_t>((own + s) % count)], 0.0);
    }
    for (Index s = 1; s < X_.rows && have < out_.k; ++s)
      take(static_cast<NodeId>((i + s) % X_.rows), 2.0);
  }

 private:
  const Csr& X_;
  DenseNeighbours& out_;
  std::vector<NodeId> empty_;
};

}  // namespace

DenseNeighbours nearest_by_cosine(const Csr& X, int k) {
  check(k >= 1 && k < X.rows, "nearest: expected k from 1 to below ", X.rows, " rows, got ", k);
  k = std::min(k, kMaxNeighbours);
  const Neighbours found =
      exact_work(X) > kWorkOfAMinute ? nearest_approximate(X, k) : nearest(X, k);
  DenseNeighbours out{.nodes = X.rows, .k = k, .id = found.id};
  out.squared.resize(out.id.size());
  Filler filler(X, out);
  for (Index i = 0; i < X.rows; ++i) {
    int have = 0;
    for (; have < k && found.id[i * k + have] >= 0; ++have)
      out.squared[i * k + have] = 2 - 2 * double{found.similarity[i * k + have]};
    if (have < k) filler.fill(i, have);
  }
  return out;
}

}  // namespace scrl
