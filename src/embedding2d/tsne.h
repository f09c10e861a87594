// embedding2d/tsne.h: 2-D coordinates of points of many dimensions, by t-SNE.
//
// van der Maaten and Hinton, "Visualizing data using t-SNE", JMLR 2008. With P from
// tsne_affinities.h and q, Z from tsne_repulsion.h, coordinates y minimise
//   KL(P || Q) = sum_ij P_ij ln(P_ij / Q_ij),  Q_ij = q_ij / Z,
// by gradient descent with momentum and a gain per coordinate:
//   g_i = e sum_j P_ij q_ij (y_i - y_j) - 1/Z sum_j q_ij^2 (y_i - y_j)
//   gain += 0.2 where the step keeps its direction, *= 0.8 where it turns
//   step = momentum * step - rate * gain * g;  y += step
// g is a quarter of the gradient, as the learning rates in use assume.
// The first exaggeration_iters have e = early_exaggeration and momentum 0.5, the others 1 and 0.8.
// Without a start, points begin at their first two principal coordinates, with a deviation of 1e-4.
// The same bits for any number of threads.
#pragma once
#include <functional>
#include <string>

#include "base/options.h"
#include "base/types.h"
#include "tensor/csr.h"
#include "tensor/matrix.h"

namespace scrl {

// How repulsion is summed: over all pairs, or by Fourier transforms on a grid; kAuto: by which is
// faster.
enum class RepulsionMethod { kAuto, kExact, kFft };
template <>
inline constexpr auto kNames<RepulsionMethod> = std::array{"auto", "exact", "fft"};

struct TsneOptions {
  double perplexity = 30;
  int iterations = 750;  // all, those with exaggeration included
  double early_exaggeration = 12;
  int exaggeration_iters = 250;
  double learning_rate = 0;  // 0: number of points / exaggeration
  RepulsionMethod method = RepulsionMethod::kAuto;
  int seed = 0;
};
void bind(OptionSet& set, TsneOptions& o);

struct TsneProgress {
  int iteration, iterations;
  double kl;  // KL(P || Q)
};
using TsneReport = std::function<void(const TsneProgress&)>;  // now and then, and after the last

// Of Euclidean distances between the rows of X; returns (n,2). `start` (n,2) has coordinates to
// begin with, as it is and without exaggeration: what belongs where it is stays there. Throws
// kUsage if numbers of X or start are not finite or their sizes differ, kDiverged if the learning
// rate throws coordinates beyond all numbers.
Matrix tsne(const Matrix& X, const TsneOptions& o, const Matrix* start = nullptr,
            const TsneReport& report = {});
// Of sparse rows scaled to length 1, so of their cosines: squared distances are 2 - 2 cosine.
// Neighbours are those of neighbors/knn.h, or of neighbors/knn_approximate.h where that takes
// minutes.
Matrix tsne(const Csr& X, const TsneOptions& o, const Matrix* start = nullptr,
            const TsneReport& report = {});

// A point has 3 * perplexity neighbours; with fewer points the perplexity is this.
double usable_perplexity(Index points, double perplexity);
// Whether `method` means all pairs for so many points.
bool repels_exactly(Index points, RepulsionMethod method);

}  // namespace scrl
