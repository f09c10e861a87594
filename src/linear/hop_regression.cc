#include "linear/hop_regression.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/error.h"
#include "base/parallel.h"
#include "linear/cross_validate.h"
#include "linear/features.h"
#include "linear/softmax_newton.h"

namespace scrl {
namespace {

using linear::Doubles;
using linear::HopGraph;
using linear::HopProducts;

constexpr Index kMostInSpan = 1200;  // labelled nodes
constexpr Index kMostInTurn = 600;   // of which all folds are held out, one after the other
constexpr Index kScaleNodes = 256;   // beyond kMostInSpan, scales are those of so many nodes
constexpr double kCandidatesOfC[] = {0.1, 1, 10, 100, 1000, 1e4};
constexpr double kRough = 1e-3, kFine = 1e-8;  // of the gradient: to compare, to keep
constexpr double kRoughProducts = 1e-2, kFineProducts = 1e-4;  // the same by float products
constexpr int kHopsUnchosen = 2;

struct Folds {
  std::vector<std::int32_t> of;  // -1: never held out
  Index problems = 0;            // 0: nothing can be held out
};

Folds choose_folds(std::span<const std::int32_t> labels, Index classes, std::uint64_t seed) {
  std::vector<Index> count(static_cast<std::size_t>(classes));
  for (const std::int32_t y : labels) ++count[y];
  Folds out{.of = stratified_folds(labels, classes, kFolds, seed)};
  for (std::size_t i = 0; i < labels.size(); ++i)
    if (count[labels[i]] < 2) out.of[i] = -1;
  // Few labels may leave a fold empty.
  std::vector<std::uint8_t> used(kFolds);
  for (const std::int32_t f : out.of)
    if (f >= 0) used[f] = 1;
  const Index folds = std::count(used.begin(), used.end(), 1);
  for (std::int32_t& f : out.of)
    if (f >= 0) f = static_cast<std::int32_t>(std::count(used.begin(), used.begin() + f, 1));
  out.problems =
      static_cast<Index>(labels.size()) > kMostInTurn ? std::min<Index>(folds, 1) : folds;
  return out;
}

struct Choice {
  double nll = INFINITY, C = 1;
};

// The best C for these rows.
Choice cross_validate(const linear::RowProducts& x, std::span<const std::int32_t> labels,
                      Index classes, const Folds& folds, std::optional<double> C,
                      double tolerance) {
  const Index n = x.rows(), problems = folds.problems;
  std::vector<std::uint8_t> seen(static_cast<std::size_t>(n * problems));
  for (Index i = 0; i < n; ++i)
    for (Index f = 0; f < problems; ++f) seen[i * problems + f] = folds.of[i] != f;
  linear::SoftmaxProblems regression(x, labels, classes, std::move(seen), problems);
  std::vector<double> candidates(std::begin(kCandidatesOfC), std::end(kCandidatesOfC));
  if (C) candidates = {*C};
  Choice best;
  for (const double candidate : candidates) {
    regression.solve(candidate, tolerance);  // from the solution for the smaller one
    double sum = 0, held_out = 0;
    for (Index i = 0; i < n; ++i) {
      if (folds.of[i] < 0 || folds.of[i] >= problems) continue;
      sum += regression.nll(i, folds.of[i]);
      ++held_out;
    }
    if (!(sum / held_out < best.nll)) break;
    best = {.nll = sum / held_out, .C = candidate};
  }
  return best;
}

// Fits all rows, and brings the solution into the coordinates of `products`.
HopClassifier fit_all(const linear::RowProducts& x, const HopProducts& products,
                      std::span<const std::int32_t> labels, Index classes, int hops, Index columns,
                      double C, double tolerance) {
  const Index n = x.rows();
  linear::SoftmaxProblems regression(x, labels, classes,
                                     std::vector<std::uint8_t>(static_cast<std::size_t>(n), 1), 1);
  regression.solve(C, tolerance);
  constexpr Index kWidth = kernels::kDoublePanel;
  const Index padded = (classes + kWidth - 1) / kWidth * kWidth, dims = products.dims();
  const auto place = [](Index count, Index row, Index c) {
    return (c / kWidth * count + row) * kWidth + c % kWidth;
  };
  Doubles u(static_cast<std::size_t>(n * padded)), w(static_cast<std::size_t>(dims * padded));
  for (Index i = 0; i < n; ++i)
    for (Index c = 0; c < classes; ++c) u[place(n, i, c)] = regression.residual(C, i, 0, c);
  products.add_transposed(u, w);

  HopClassifier out{.hops = hops, .C = C, .b = Matrix(1, classes)};
  const std::vector<double> scales = products.scales();
  for (int k = 0; k <= hops; ++k) {
    out.W.emplace_back(columns, classes);
    for (Index j = 0; j < columns; ++j)
      for (Index c = 0; c < classes; ++c)
        out.W[k](j, c) = static_cast<float>(scales[k] * w[place(dims, k * columns + j, c)]);
  }
  for (Index c = 0; c < classes; ++c) out.b(0, c) = static_cast<float>(w[place(dims, dims - 1, c)]);
  return out;
}

}  // namespace

HopClassifier fit_hops(const HopGraph& graph, std::span<const NodeId> nodes,
                       std::span<const std::int32_t> labels, Index classes, std::optional<int> hops,
                       std::optional<double> C, std::uint64_t seed) {
  linear::count_labels(nodes, labels, classes);
  const Index n = static_cast<Index>(nodes.size());
  const Folds folds = choose_folds(labels, classes, seed);
  if (folds.problems == 0) {
    hops = hops.value_or(kHopsUnchosen);
    C = C.value_or(1);
  }
  const int first = hops.value_or(0), last = hops.value_or(kMostHops);
  const bool chosen = hops && C, in_span = n <= kMostInSpan;

  // Of each hop: its scale, and products of the rows with each other.
  std::vector<double> scales;
  std::vector<Doubles> grams;
  std::vector<NodeId> sample;
  for (Index i = 0; i < std::min(n, kScaleNodes); ++i)
    sample.push_back(nodes[i * n / std::min(n, kScaleNodes)]);
  for (int k = 0; k <= last; ++k) {
    const Matrix rows = hop_rows(graph, in_span ? nodes : std::span<const NodeId>(sample), k);
    scales.push_back(linear::hop_scale(rows));
    if (in_span) grams.push_back(linear::gram(rows, scales.back()));
  }
  std::vector<std::unique_ptr<linear::RowProducts>> x(static_cast<std::size_t>(last) + 1);
  const auto products_of = [&](int k) {
    return std::make_unique<HopProducts>(
        graph, nodes, std::vector<double>(scales.begin(), scales.begin() + k + 1));
  };
  Doubles sum(static_cast<std::size_t>(in_span ? n * n : 0), 1.0);  // of the bias
  for (int k = 0; k <= last; ++k) {
    for (std::size_t e = 0; e < sum.size(); ++e) sum[e] += grams[k][e];
    if (k < first) continue;
    if (in_span) {
      linear::Coordinates z = linear::coordinates(sum, n);
      x[k] = std::make_unique<linear::DenseRows>(std::move(z.x), n, z.dims);
    } else {
      x[k] = products_of(k);
    }
  }

  std::vector<Choice> choices(static_cast<std::size_t>(last) + 1);
  const auto choose = [&](Index k) {
    choices[k] =
        cross_validate(*x[k], labels, classes, folds, C, in_span ? kRough : kRoughProducts);
  };
  int best = first;
  if (!chosen) {
    if (in_span) {
      parallel_for(last - first + 1, 1, [&](Index k, Index) { choose(first + k); });
    } else {
      for (int k = first; k <= last; ++k) choose(k);
    }
    for (int k = first + 1; k <= last; ++k)
      if (choices[k].nll < choices[best].nll) best = k;
  }
  return fit_all(*x[best], *products_of(best), labels, classes, best, graph.X->cols,
                 C.value_or(choices[best].C), in_span ? kFine : kFineProducts);
}

Index fit_hops_floats(Index all_nodes, Index columns, Index labelled, Index classes,
                      int most_hops) {
  constexpr Index kVectors = 12, kDouble = 2;  // vectors of a solver, for each weight and row
  const Index blocks = most_hops + 1;
  const Index weights = kDouble * 2 * blocks * columns * classes;  // of all rows, brought back
  const Index products = (3 * all_nodes + columns) * classes;
  if (labelled > kMostInSpan)
    return kDouble * kVectors * (blocks * columns + labelled) * classes + products;
  const Index spans = kDouble * labelled * (2 * labelled + kVectors * kFolds * classes) * blocks;
  return labelled * columns + spans + weights + products;
}

}  // namespace scrl
