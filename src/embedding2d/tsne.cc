#include "embedding2d/tsne.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "base/rng.h"
#include "embedding2d/tsne_affinities.h"
#include "embedding2d/tsne_descent.h"
#include "embedding2d/tsne_neighbors.h"
#include "kernels/reduce.h"
#include "neighbors/knn_dense.h"
#include "neighbors/pca.h"

namespace scrl {
namespace {

constexpr Index kExactPoints = 700;  // up to here all pairs take less time than the grid
constexpr double kStartDeviation = 1e-4, kJitter = 0.01;

int neighbour_count(Index points, double perplexity) {
  const auto wanted = static_cast<Index>(3 * usable_perplexity(points, perplexity));
  return static_cast<int>(std::clamp<Index>(wanted, 1, points - 1));
}

// Principal coordinates, scaled; a hundredth of noise parts points that are equal.
Matrix first_places(Matrix coordinates, int seed) {
  const Index n = coordinates.rows();
  double square = 0;
  for (Index i = 0; i < n; ++i) square += double{coordinates(i, 0)} * coordinates(i, 0);
  const double deviation = std::sqrt(square / static_cast<double>(n));
  const double factor = deviation > 0 ? kStartDeviation / deviation : 0;
  Rng rng(static_cast<std::uint64_t>(seed), Purpose::kTsne, 1);
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < 2; ++c) {
      coordinates(i, c) =
          static_cast<float>(coordinates(i, c) * factor + kJitter * kStartDeviation * rng.normal());
    }
  }
  return coordinates;
}

void check_start(const Matrix* start, Index points) {
  if (start == nullptr) return;
  if (start->rows() != points || start->cols() != 2) {
    fail(ErrorKind::kUsage, "t-SNE: the start has ", start->rows(), " rows of ", start->cols(),
         " numbers; expected ", points, " rows of 2, one per point");
  }
  if (!kernels::all_finite(*start))
    fail(ErrorKind::kUsage, "t-SNE: the start holds what is not a finite number");
}

// `neighbours` and `principal` are asked only where there is something to lay out.
template <class Neighbours, class Principal>
Matrix layout(Index points, const TsneOptions& o, const Matrix* start, const TsneReport& report,
              const Neighbours& neighbours, const Principal& principal) {
  check_start(start, points);
  if (points < 2) return start != nullptr ? *start : Matrix(points, 2);
  const double perplexity = usable_perplexity(points, o.perplexity);
  const Csr P = joint_affinities(neighbours(neighbour_count(points, perplexity)), perplexity);
  TsneOptions run = o;
  if (start != nullptr) run.exaggeration_iters = 0;
  return descend(P, start != nullptr ? *start : first_places(principal(), o.seed), run, report);
}

}  // namespace

void bind(OptionSet& set, TsneOptions& o) {
  set.add("perplexity", o.perplexity, at_least(1),
          "about how many neighbours a point keeps close; at most a third of the points");
  set.add("iterations", o.iterations, between(0, 1000000),
          "steps of descent, those with exaggeration included");
  set.add("early_exaggeration", o.early_exaggeration, at_least(1),
          "factor on attraction in the first steps");
  set.add("exaggeration_iters", o.exaggeration_iters, between(0, 1000000),
          "how many these are; none if a start is given");
  set.add("learning_rate", o.learning_rate, at_least(0),
          "of the descent; 0: number of points / exaggeration");
  set.add("method", o.method,
          "repulsion of all pairs, or by Fourier transforms on a grid; auto: exact for few points");
  set.add("seed", o.seed, between(0, 2147483647), "of the noise that parts equal points");
}

double usable_perplexity(Index points, double perplexity) {
  return std::max(1.0, std::min(perplexity, static_cast<double>(points - 1) / 3));
}

bool repels_exactly(Index points, RepulsionMethod method) {
  return method == RepulsionMethod::kExact ||
         (method == RepulsionMethod::kAuto && points <= kExactPoints);
}

Matrix tsne(const Matrix& X, const TsneOptions& o, const Matrix* start, const TsneReport& report) {
  if (!kernels::all_finite(X)) {
    fail(ErrorKind::kUsage, "t-SNE: the points hold what is not a finite number; ",
         "the model that made them may have diverged");
  }
  return layout(
      X.rows(), o, start, report, [&](int k) { return nearest_dense(X, k); },
      [&] { return pca_scores(X, 2); });
}

Matrix tsne(const Csr& X, const TsneOptions& o, const Matrix* start, const TsneReport& report) {
  return layout(
      X.rows, o, start, report, [&](int k) { return nearest_by_cosine(X, k); },
      [&] { return pca_scores(unit_rows(X), 2); });
}

}  // namespace scrl
