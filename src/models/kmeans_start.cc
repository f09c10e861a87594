#include "models/kmeans_start.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "base/parallel.h"
#include "kernels/products.h"
#include "tensor/distance.h"

namespace scrl {
namespace {

constexpr Index kGrain = 2048;
constexpr double kNoise = 1e-6;  // of |x|^2 + |c|^2: a smaller squared distance is rounding

class Start {
 public:
  explicit Start(const Matrix& X, Index tries)
      : X_(X),
        candidates_(tries, X.cols()),
        products_(X.rows(), tries),
        squares_(static_cast<std::size_t>(X.rows())),
        nearest_(squares_.size(), INFINITY),
        passed_(squares_.size()),
        draws_(static_cast<std::size_t>(tries)) {
    const std::vector<float> zero(static_cast<std::size_t>(X.stride()));
    for (Index i = 0; i < X.rows(); ++i)
      squares_[i] = squared_distance(X.row(i), zero.data(), X.stride());
  }

  // The next centre; `first` has nothing to be far from.
  Index next(Rng& rng, bool first) {
    draw(rng, first);
    for (Index t = 0; t < tries(); ++t)
      std::copy_n(X_.row(draws_[t]), X_.stride(), candidates_.row(t));
    kernels::gemm(kernels::Op::kN, X_, kernels::Op::kT, candidates_, products_);
    const Index chosen = first ? 0 : best_draw();
    parallel_for(X_.rows(), kGrain, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) nearest_[i] = std::min(nearest_[i], squared(i, chosen));
    });
    return draws_[chosen];
  }

 private:
  Index tries() const { return candidates_.rows(); }

  double squared(Index i, Index t) const {
    const double both = squares_[i] + squares_[draws_[t]], out = both - 2.0 * products_(i, t);
    return out > kNoise * both ? out : 0.0;
  }

  void draw(Rng& rng, bool first) {
    const std::uint64_t n = nearest_.size();
    if (!first) std::partial_sum(nearest_.begin(), nearest_.end(), passed_.begin());
    const double total = first ? 0 : passed_.back();
    for (Index& d : draws_) {
      if (!(total > 0)) {  // all rows lie on centres already
        d = static_cast<Index>(rng.below(n));
        continue;
      }
      auto at = std::upper_bound(passed_.begin(), passed_.end(), rng.uniform() * total);
      if (at == passed_.end()) at = std::lower_bound(passed_.begin(), passed_.end(), total);
      d = at - passed_.begin();
    }
  }

  // The draw that leaves the smallest sum of squared distances, the first on ties.
  Index best_draw() const {
    std::vector<double> sums(static_cast<std::size_t>(chunk_count(X_.rows(), kGrain) * tries()));
    parallel_for(X_.rows(), kGrain, [&](Index begin, Index end) {
      double* sum = sums.data() + begin / kGrain * tries();
      for (Index i = begin; i < end; ++i)
        for (Index t = 0; t < tries(); ++t) sum[t] += std::min(nearest_[i], squared(i, t));
    });
    std::vector<double> total(static_cast<std::size_t>(tries()));
    for (std::size_t s = 0; s < sums.size(); ++s) total[s % total.size()] += sums[s];
    return std::min_element(total.begin(), total.end()) - total.begin();
  }

  const Matrix& X_;
  Matrix candidates_;            // rows that were drawn
  Matrix products_;              // of every row with each of them
  std::vector<double> squares_;  // |x_i|^2
  std::vector<double> nearest_;  // squared distance to the nearest centre
  std::vector<double> passed_;   // sums of nearest_ up to each row
  std::vector<Index> draws_;
};

}  // namespace

Matrix plus_plus_centres(const Matrix& X, Index clusters, Rng rng) {
  Matrix out(clusters, X.cols());
  Start start(X, 2 + static_cast<Index>(std::log(static_cast<double>(clusters))));
  for (Index c = 0; c < clusters; ++c)
    std::copy_n(X.row(start.next(rng, c == 0)), X.stride(), out.row(c));
  return out;
}

}  // namespace scrl
