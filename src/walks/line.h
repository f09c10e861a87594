// walks/line.h: LINE (Tang et al., WWW 2015): vectors that tell which nodes are joined (order 1) or
// have the same neighbours (order 2).
//
// A sample is an edge (i, j), drawn in proportion to its weight, each direction an edge of its own,
// and K nodes x drawn in proportion to degree^0.75:
//     -log sigma(in_i . out_j) - sum_x log sigma(-in_i . out_x)
// with contexts `out` of their own for order 2, and out = in for order 1. Plain gradient descent;
// the rate falls linearly from lr to lr / 10000 over the samples of all passes.
//
// Departures: sigma is exact where the reference clamps a table at +-6; the rate is fixed within a
// round; a noise node equal to i is left out in order 1; rows are learned in shards (shards.h),
// each of which owns the inputs dealt to it: drawn edges, unlike walks, do not stay in one part of
// the graph.
#pragma once
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "tensor/csr.h"
#include "tensor/matrix.h"
#include "walks/alias.h"
#include "walks/shards.h"

namespace scrl {

struct LineOptions {
  int order = 2;  // 1 or 2
  int dim = 128, negative = 5, passes = 10;
  Index samples =
      0;  // of all passes; 0: ten million, but 200 to 2500 for each direction of an edge
  double lr = 0.025;
  Index round = 0;  // samples between two merges; 0: chosen from the number of nodes
  ShardOptions sharding = {.patience = 1024};
};

class Line {
 public:
  // Loops of A are ignored, weights are not; without values every weight is 1.
  // REQUIRES: A is square and symmetric. Throws Error(kData) when A joins no two nodes or a weight
  // is below 0, Error(kUsage) when an option makes no sense.
  Line(const Csr& A, const LineOptions& options, std::uint64_t seed);

  Index nodes() const { return static_cast<Index>(owner_.size()); }
  Index output_rows() const { return options_.order == 2 ? nodes() : 0; }
  Index samples_per_pass() const { return samples_; }

  // Pass 1..passes. in (nodes, dim) starts as initial_vectors, out (output_rows, dim) as zeros and
  // is empty for order 1. Everything a later pass depends on is in the two and the pass number.
  // Returns the mean loss of every sixteenth sample, as they came up.
  double pass(int pass, Matrix& in, Matrix& out);

 private:
  struct Shard {
    double loss = 0.0;
    Index samples = 0;
  };
  void draw(int pass, Index first, Index count);
  void train_shard(Index s, Index first, Index count, float lr, Matrix& in, const Matrix& out);

  LineOptions options_;
  std::uint64_t seed_;
  std::vector<NodeId> source_, target_;  // of each edge
  AliasTable edges_, noise_;
  Index samples_, round_;
  std::vector<std::uint8_t> owner_;
  ShardedRows copies_;
  std::vector<Shard> shards_;
  std::vector<NodeId> sampled_;  // of this round: i, j and K noise nodes for each sample
};

}  // namespace scrl
