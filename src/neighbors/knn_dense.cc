#include "neighbors/knn_dense.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.h"
#include "base/parallel.h"
#include "kernels/products.h"
#include "kernels/reduce.h"
#include "neighbors/float_range.h"
#include "tensor/distance.h"

namespace scrl {
namespace {

constexpr Index kQueries = 512;  // rows whose products are in memory at a time
constexpr Index kTile = 4096;    // rows they are multiplied with at a time
constexpr Index kGrain = 32, kGroup = 64;

struct Candidate {
  float score;
  NodeId id;
};
bool better(const Candidate& a, const Candidate& b) {
  return a.score > b.score || (a.score == b.score && a.id < b.id);
}

// The best `keep` that were offered; a few times as many are held before they are sorted out.
class Shortlist {
 public:
  void start(std::size_t keep) {
    keep_ = keep;
    items_.clear();
    items_.reserve(4 * keep);
    threshold_ = -std::numeric_limits<float>::infinity();
  }
  float threshold() const { return threshold_; }  // candidates below it cannot enter
  void offer(float score, NodeId id) {
    items_.push_back({score, id});
    if (items_.size() == 4 * keep_) cut();
  }
  const std::vector<Candidate>& result() {
    if (items_.size() > keep_) cut();
    return items_;
  }

 private:
  void cut() {
    const auto last = items_.begin() + static_cast<std::ptrdiff_t>(keep_);
    std::nth_element(items_.begin(), last - 1, items_.end(), better);
    items_.erase(last, items_.end());
    threshold_ = items_.back().score;
  }

  std::size_t keep_ = 0;
  float threshold_ = 0;
  std::vector<Candidate> items_;
};

class Search {
 public:
  Search(const Matrix& X, int k)
      : X_(centred(X)), half_(static_cast<std::size_t>(X.rows())), list_(kQueries) {
    out_ = {.nodes = X.rows(), .k = k};
    out_.id.resize(static_cast<std::size_t>(X.rows() * k));
    out_.squared.resize(out_.id.size());
    const std::vector<float> zero(static_cast<std::size_t>(X_.stride()));
    for (Index i = 0; i < X_.rows(); ++i)
      half_[i] = static_cast<float>(squared_distance(X_.row(i), zero.data(), X_.stride()) / 2);
  }

  DenseNeighbours run() {
    const Index n = X_.rows();
    for (Index first = 0; first < n; first += kQueries) {
      const Index count = std::min(kQueries, n - first);
      copy_rows(first, count, queries_);
      const auto keep = static_cast<std::size_t>(std::min<Index>(n - 1, out_.k + out_.k / 8 + 8));
      for (Index r = 0; r < count; ++r) list_[r].start(keep);
      for (Index tile = 0; tile < n; tile += kTile) compare(first, count, tile);
      parallel_for(count, kGrain, [&](Index begin, Index end) {
        for (Index r = begin; r < end; ++r) decide(first + r, list_[r].result());
      });
    }
    return std::move(out_);
  }

 private:
  void copy_rows(Index first, Index count, Matrix& to) const {
    if (to.rows() != count) to = Matrix(count, X_.cols());
    std::copy_n(X_.row(first), count * X_.stride(), to.data());
  }

  void compare(Index first, Index count, Index tile) {
    const Index width = std::min(kTile, X_.rows() - tile);
    copy_rows(tile, width, others_);
    if (products_.rows() != count || products_.cols() != width) products_ = Matrix(count, width);
    kernels::gemm(kernels::Op::kN, queries_, kernels::Op::kT, others_, products_);
    parallel_for(count, kGrain, [&](Index begin, Index end) {
      for (Index r = begin; r < end; ++r) look_through(first + r, tile, width, r);
    });
  }

  void look_through(Index i, Index tile, Index width, Index r) {
    float* const product = products_.row(r);
    const float* const half = half_.data() + tile;
    Shortlist& list = list_[r];
    for (Index group = 0; group < width; group += kGroup) {
      const Index end = std::min(width, group + kGroup);
      const float threshold = list.threshold();
      int any = 0;
      for (Index j = group; j < end; ++j) {
        product[j] -= half[j];
        any |= product[j] >= threshold;
      }
      for (Index j = group; any && j < end; ++j) {
        if (product[j] >= list.threshold() && tile + j != i)
          list.offer(product[j], static_cast<NodeId>(tile + j));
      }
    }
  }

  void decide(Index i, const std::vector<Candidate>& candidates) {
    std::vector<std::pair<double, NodeId>> exact;
    exact.reserve(candidates.size());
    for (const Candidate& c : candidates)
      exact.emplace_back(squared_distance(X_.row(i), X_.row(c.id), X_.stride()), c.id);
    const auto last = exact.begin() + out_.k;
    std::partial_sort(exact.begin(), last, exact.end());
    for (auto at = exact.begin(); at != last; ++at) {
      const auto slot = static_cast<std::size_t>(i * out_.k + (at - exact.begin()));
      out_.squared[slot] = at->first, out_.id[slot] = at->second;
    }
  }

  Matrix X_;
  std::vector<float> half_;  // |x|^2 / 2
  std::vector<Shortlist> list_;
  Matrix queries_, others_, products_;
  DenseNeighbours out_;
};

// Every pair in double, for rows whose products float cannot hold.
DenseNeighbours compare_all_pairs(const Matrix& X, int k) {
  const Index n = X.rows();
  DenseNeighbours out{.nodes = n, .k = k};
  out.id.resize(static_cast<std::size_t>(n * k));
  out.squared.resize(out.id.size());
  parallel_for(n, kGrain, [&](Index begin, Index end) {
    std::vector<std::pair<double, NodeId>> all;
    for (Index i = begin; i < end; ++i) {
      all.clear();
      for (Index j = 0; j < n; ++j)
        if (j != i)
          all.emplace_back(squared_distance(X.row(i), X.row(j), X.stride()),
                           static_cast<NodeId>(j));
      std::partial_sort(all.begin(), all.begin() + k, all.end());
      for (int s = 0; s < k; ++s)
        std::tie(out.squared[i * k + s], out.id[i * k + s]) = all[static_cast<std::size_t>(s)];
    }
  });
  return out;
}

}  // namespace

Matrix centred(const Matrix& X) {
  Matrix mean(1, X.cols()), out(X.rows(), X.cols());
  kernels::column_sums(X, mean);
  const auto rows = static_cast<float>(std::max<Index>(1, X.rows()));
  for (Index j = 0; j < X.cols(); ++j) mean(0, j) /= rows;
  for (Index i = 0; i < X.rows(); ++i)
    for (Index j = 0; j < X.cols(); ++j) out(i, j) = X(i, j) - mean(0, j);
  return out;
}

DenseNeighbours nearest_dense(const Matrix& X, int k) {
  check(k >= 1 && k < X.rows(), "nearest: expected k from 1 to below ", X.rows(), " rows, got ", k);
  if (rows_differ_beyond_float(X)) return compare_all_pairs(X, k);
  const int exponent = float_exponent(X);
  if (exponent == 0) return Search(X, k).run();
  DenseNeighbours out = Search(scaled(X, -exponent), k).run();
  for (double& d : out.squared) d = std::ldexp(d, 2 * exponent);
  return out;
}

}  // namespace scrl
