// trust/conformal.h: sets of classes by split conformal prediction.
//
// n labelled nodes calibrate. With scores s(i, c), low where class c suits node i:
//   q       the ceil((n+1) coverage)-th smallest of s(i, y_i) over the calibration nodes
//   set(i)  all classes c with s(i, c) <= q
// If i and the calibration nodes are exchangeable, and s was made without the calibration labels,
// then P(y_i in set(i)) is at least `coverage` and at most coverage + 1/(n+1).
//   APS    s(i, c) = sum of the probabilities above p_ic + u_i p_ic,  u_i uniform in [0, 1)
//          Romano, Sesia and Candes, "Classification with valid and adaptive coverage", NeurIPS
//          2020
//   SNAPS  (1-a-b) s(i, c) + a mean of s(., c) over the feature graph + b the same over the
//   topology
//          Song et al., "Similarity-navigated conformal prediction for graph neural networks",
//          NeurIPS 2024
// u_i comes from the id of the node, so a set depends neither on the order of the nodes nor on
// which others are asked for. Sets may be empty: else coverage could not be below the accuracy.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tensor/csr.h"
#include "tensor/matrix.h"

namespace scrl {

// Labelled nodes without which no set can be had: ceil(1 / (1 - coverage)) - 1.
// REQUIRES: 0 < coverage < 1.
Index labels_needed(double coverage);

// u, one per id.
std::vector<float> uniform_of_ids(std::span<const std::string> ids, std::uint64_t seed);

Matrix aps_scores(const Matrix& log_probs, std::span<const float> u);

struct Diffusion {
  double features = 0, topology = 0;  // a and b; both 0: APS as it is

  bool operator==(const Diffusion&) const = default;
};
// A node without neighbours in a graph keeps its own score in place of their mean. Loops and
// weights of the graphs are not looked at.
Matrix diffused_scores(const Matrix& scores, const Csr& features, const Csr& topology,
                       const Diffusion& weights);

// q, from the scores s(i, y_i) of the calibration nodes; none: fewer than labels_needed().
std::optional<float> conformal_quantile(std::vector<float> scores, double coverage);
std::vector<float> scores_of_labels(const Matrix& scores, std::span<const NodeId> nodes,
                                    std::span<const std::int32_t> labels);

// member[i * classes + c]: whether class c is in the set of node i.
std::vector<bool> prediction_sets(const Matrix& scores, float q);

// What sets come to on labelled nodes.
struct SetScores {
  double coverage = 0, mean_size = 0, empty = 0;  // shares and a count per node
};
SetScores score_sets(const std::vector<bool>& member, Index classes, std::span<const NodeId> nodes,
                     std::span<const std::int32_t> labels);

}  // namespace scrl
