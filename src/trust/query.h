// trust/query.h: which nodes to label next.
//
// Greedy maximisation of a facility location function, which is monotone and submodular, so the
// order is good at every length:
//   sim(u, j)   = max(0, z_u . z_j)                    z: trust/node_space.h
//   gain(j | S) = sum_u w_u max(0, sim(u, j) - max_{s in S} sim(u, s))
// S starts as the labelled nodes, so what they resemble counts no more. Without a model w = 1: a
// node is chosen for how many nodes it resembles that none in S does (influence and diversity).
// With a model w_u is the share of nodes that the model is surer of than of u, by the difference of
// the two largest probabilities, so doubtful regions weigh more (uncertainty, density and diversity
// in one figure, whatever the scale of the probabilities).
// Graphs of more than kQuerySample nodes are represented by as many drawn ones.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "tensor/matrix.h"

namespace scrl {

inline constexpr Index kQuerySample = 4096;

struct Queried {
  NodeId node = 0;
  double gain = 0;       // of the best possible sum of similarities, percent
  Index represents = 0;  // nodes that resemble it more than any labelled or earlier chosen node
  double doubt = 0;      // mean w of those; 1 without a model
};

// `candidate`: by node; `labelled`: may be empty; `weights`: w by node. Fewer than `count` when
// candidates run out. The same for any number of threads.
std::vector<Queried> query_nodes(const Matrix& space, const std::vector<bool>& candidate,
                                 std::span<const NodeId> labelled, std::span<const float> weights,
                                 Index count, std::uint64_t seed);

// w of a model.
std::vector<float> doubt_weights(const Matrix& log_probs);

}  // namespace scrl
