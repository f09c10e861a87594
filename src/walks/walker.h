// walks/walker.h: uniform random walks on an undirected graph without weights.
//
// Step k of walk w of a pass is a pure function of (seed, pass, w, k), so walks are made when they
// are needed, by any thread, and none is stored for long.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/types.h"
#include "tensor/csr.h"

namespace scrl {

class Walker {
 public:
  // Loops and weights of A are dropped. REQUIRES: A is square and symmetric, length is above 0.
  // Throws Error(kData) when no two nodes are joined.
  Walker(const Csr& A, int length, std::uint64_t seed);

  Index nodes() const { return static_cast<Index>(start_.size()) - 1; }
  int length() const { return length_; }
  Index degree(Index node) const { return start_[node + 1] - start_[node]; }
  std::span<const NodeId> neighbours(Index node) const {
    return {to_.data() + start_[node], static_cast<std::size_t>(degree(node))};
  }
  std::span<const Index> degrees() const { return degrees_; }
  // Nodes with a neighbour, ascending; the others are on no walk.
  std::span<const NodeId> joined() const { return joined_; }

  // The joined nodes in the order in which sweep `sweep` of a pass starts from them.
  void starts(int pass, int sweep, std::vector<NodeId>& out) const;
  // Fills out with a walk of `length` nodes from `start`; `number` tells it from others of the
  // pass.
  void walk(int pass, Index number, NodeId start, std::span<NodeId> out) const;

 private:
  int length_;
  std::uint64_t seed_;
  std::vector<Index> start_, degrees_;
  std::vector<NodeId> to_, joined_;
};

}  // namespace scrl
