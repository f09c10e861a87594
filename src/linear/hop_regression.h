// linear/hop_regression.h: multinomial logistic regression on the features of a node and of the
// nodes some hops away, fitted to a few labelled nodes of a graph.
//
//   min_W  1/2 |W|^2 + C sum_i (log sum_c exp(z_i . W_c) - z_i . W_yi)
//   z_i = row i of [X, s_1 A X, ..., s_K A^K X, 1]
// s_k makes the mean square of the lengths of the labelled nodes' rows 1; so does s_0. The bias is
// the weight of a constant 1 and is penalised like the others.
//
// K and C are chosen by cross-validation on the labelled nodes alone: five stratified folds, and of
// K = 0 ... 3 and C = 0.1, 1, ..., 10^4 the pair with the lowest negative log-likelihood on
// held-out nodes; C grows until that rises. A class with a single label is never held out; if there
// is no class with two, K = 2 and C = 1.
//
// Up to 1,200 labelled nodes the problem is solved in the span of their rows, of which only the
// products with each other are kept. Beyond, every step multiplies by the graph and the features
// (linear/hop_products.h), so memory grows with nodes, edges and classes alone. From 600 labelled
// nodes on one fold of the five is held out instead of each in turn.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "linear/hop_products.h"

namespace scrl {

inline constexpr int kMostHops = 3;

struct HopClassifier {
  int hops = 0;
  double C = 1;
  std::vector<Matrix> W;  // (d,M) for each hop from 0 to `hops`, with s_k in it
  Matrix b;               // (1,M)
};

// No value of hops or C: by cross-validation. The same bits for any number of threads. Throws kData
// if there are no nodes or a label is not in [0, classes).
HopClassifier fit_hops(const linear::HopGraph& graph, std::span<const NodeId> nodes,
                       std::span<const std::int32_t> labels, Index classes, std::optional<int> hops,
                       std::optional<double> C, std::uint64_t seed);

// Floats that fit_hops() holds at most, roughly; for plans.
Index fit_hops_floats(Index all_nodes, Index columns, Index labelled, Index classes, int most_hops);

}  // namespace scrl
