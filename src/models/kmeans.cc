#include "models/kmeans.h"

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "base/parallel.h"
#include "base/rng.h"
#include "kernels/layers.h"
#include "kernels/products.h"
#include "kernels/reduce.h"
#include "kernels/rows.h"
#include "models/kmeans_start.h"
#include "tensor/distance.h"

namespace scrl {
namespace {

constexpr Index kBlock = 2048;  // points whose products with all centres are in memory at a time
constexpr Index kGrain = 256;

class Lloyd {
 public:
  Lloyd(const Matrix& Z, Index clusters) : X_(Z.rows(), Z.cols()), mean_(1, Z.cols()) {
    if (clusters < 1 || clusters > Z.rows()) {
      fail(ErrorKind::kUsage, "k-means: ", clusters, " clusters of ", Z.rows(),
           " points; expected from 1 to as many as there are points");
    }
    if (!kernels::all_finite(Z)) {
      fail(ErrorKind::kDiverged, "k-means: the points hold what is not a finite number; ",
           "the model that made them has diverged");
    }
    kernels::column_sums(Z, mean_);
    for (Index j = 0; j < Z.cols(); ++j) mean_(0, j) /= static_cast<float>(Z.rows());
    for (Index i = 0; i < Z.rows(); ++i)
      for (Index j = 0; j < Z.cols(); ++j) X_(i, j) = Z(i, j) - mean_(0, j);
    of_.assign(static_cast<std::size_t>(Z.rows()), -1);
    distance_.assign(of_.size(), 0.0);
    points_ = Matrix(std::min(kBlock, Z.rows()), Z.cols());
    products_ = Matrix(points_.rows(), clusters);
    bias_ = Matrix(1, clusters);
  }

  void start_from(const Matrix& centres) {
    centres_ = Matrix(centres.rows(), X_.cols());
    for (Index c = 0; c < centres.rows(); ++c)
      for (Index j = 0; j < X_.cols(); ++j) centres_(c, j) = centres(c, j) - mean_(0, j);
  }
  void start_at_random(Index clusters, std::uint64_t seed) {
    centres_ = plus_plus_centres(X_, clusters, Rng(seed, Purpose::kClusters));
  }

  Clusters run(int max_iterations) {
    assign();
    int iterations = 0;
    for (bool changed = true; changed && iterations < max_iterations; ++iterations) {
      fill_empty_clusters();
      move_centres();
      changed = assign();
    }
    for (Index c = 0; c < centres_.rows(); ++c)
      for (Index j = 0; j < X_.cols(); ++j) centres_(c, j) += mean_(0, j);
    const double inertia = std::accumulate(distance_.begin(), distance_.end(), 0.0);
    return {std::move(centres_), std::move(of_), inertia, iterations};
  }

 private:
  // Each point to the centre with the largest x . c - |c|^2 / 2, which is the nearest. Tells
  // whether one changed its cluster.
  bool assign() {
    const std::vector<float> zero(static_cast<std::size_t>(centres_.stride()));
    for (Index c = 0; c < centres_.rows(); ++c) {
      bias_(0, c) = static_cast<float>(
          -0.5 * squared_distance(centres_.row(c), zero.data(), centres_.stride()));
    }
    std::vector<std::uint8_t> changed(static_cast<std::size_t>(chunk_count(kBlock, kGrain)));
    for (Index first = 0; first < X_.rows(); first += points_.rows()) {
      // The last block may end with points of the block before: they are left alone.
      const Index count = std::min(points_.rows(), X_.rows() - first);
      std::copy_n(X_.row(first), count * X_.stride(), points_.data());
      kernels::gemm(kernels::Op::kN, points_, kernels::Op::kT, centres_, products_);
      kernels::add_bias(products_, bias_, products_);
      kernels::argmax_rows(products_, best_);
      parallel_for(count, kGrain, [&](Index begin, Index end) {
        for (Index i = begin; i < end; ++i) {
          if (of_[first + i] != best_[i]) changed[begin / kGrain] = 1;
          of_[first + i] = best_[i];
          distance_[first + i] =
              squared_distance(points_.row(i), centres_.row(best_[i]), X_.stride());
        }
      });
    }
    return std::find(changed.begin(), changed.end(), 1) != changed.end();
  }

  void fill_empty_clusters() {
    std::vector<Index> count(static_cast<std::size_t>(centres_.rows()));
    for (const std::int32_t c : of_) ++count[c];
    if (std::find(count.begin(), count.end(), 0) == count.end()) return;
    std::vector<Index> far(of_.size());
    std::iota(far.begin(), far.end(), Index{0});
    std::stable_sort(far.begin(), far.end(),
                     [&](Index a, Index b) { return distance_[a] > distance_[b]; });
    std::size_t next = 0;
    for (std::size_t c = 0; c < count.size(); ++c) {
      if (count[c] > 0) continue;
      while (next < far.size() && count[of_[far[next]]] == 1) ++next;
      if (next == far.size() || distance_[far[next]] == 0) return;  // no more distinct points
      --count[of_[far[next]]];
      of_[far[next]] = static_cast<std::int32_t>(c);
      count[c] = 1;
      ++next;
    }
  }

  // Members of each cluster are listed and added in ascending order; a cluster has one thread.
  void move_centres() {
    const Index clusters = centres_.rows();
    std::vector<Index> begin(static_cast<std::size_t>(clusters + 1));
    for (const std::int32_t c : of_) ++begin[c + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<Index> member(of_.size()), at(begin.begin(), begin.end() - 1);
    for (std::size_t i = 0; i < of_.size(); ++i) member[at[of_[i]]++] = static_cast<Index>(i);
    parallel_for(clusters, 1, [&](Index c, Index) {
      if (begin[c] == begin[c + 1]) return;  // stays where it is
      std::vector<double> sums(static_cast<std::size_t>(X_.cols()));
      for (Index m = begin[c]; m < begin[c + 1]; ++m) {
        const float* row = X_.row(member[m]);
        for (Index j = 0; j < X_.cols(); ++j) sums[j] += row[j];
      }
      const double count = static_cast<double>(begin[c + 1] - begin[c]);
      for (Index j = 0; j < X_.cols(); ++j) centres_(c, j) = static_cast<float>(sums[j] / count);
    });
  }

  Matrix X_;     // points relative to their mean, where float has most digits for distances
  Matrix mean_;  // one row
  Matrix centres_;
  std::vector<std::int32_t> of_;
  std::vector<double> distance_;     // squared, to the own centre
  Matrix points_, products_, bias_;  // of a block
  std::vector<std::int32_t> best_;
};

}  // namespace

Index kmeans_floats(Index points, Index width, Index clusters) {
  constexpr Index kOfStart = kLane + 8;  // per point: products with candidates, sums in double
  return points * (width + kOfStart) + std::min(kBlock, points) * (width + clusters);
}

Clusters kmeans(const Matrix& Z, Index clusters, int max_iterations, std::uint64_t seed) {
  Lloyd lloyd(Z, clusters);
  lloyd.start_at_random(clusters, seed);
  return lloyd.run(max_iterations);
}

Clusters kmeans(const Matrix& Z, const Matrix& initial_centres, int max_iterations) {
  check(initial_centres.cols() == Z.cols(), "k-means: points have ", Z.cols(),
        " columns, so initial centres must have too, got ", initial_centres.cols());
  Lloyd lloyd(Z, initial_centres.rows());
  lloyd.start_from(initial_centres);
  return lloyd.run(max_iterations);
}

}  // namespace scrl
