// walks/deepwalk.h: DeepWalk (Perozzi et al., KDD 2014): skip-gram on random walks.
//
// A pass makes `walks` walks of `length` nodes from every node. At every position a radius b is
// drawn from 1..window, and each node c within b positions of v is a pair (v, c). With hierarchical
// softmax over a Huffman tree its loss is
//     sum over inner nodes n above c of -log sigma(+-in_v . out_n)                     (huffman.h)
// and with K negatives, besides or instead, c and K nodes x drawn in proportion to degree^0.75:
//     -log sigma(in_v . out_c) - sum_x log sigma(-in_v . out_x),   an x equal to c left out.
// Plain gradient descent; the rate falls linearly from lr to min_lr over all passes.
//
// Departures: up to `batch` pairs of a position, or forty rows, make one step, so that a row they
// have in common is read and written once; the tree is made from degrees, which the visits of a
// walk are proportional to, so that walks need not be stored to be counted; sigma is exact where
// the references clamp a table at +-6; the rate is fixed within a round; rows are learned in shards
// (shards.h).
#pragma once
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "tensor/matrix.h"
#include "walks/alias.h"
#include "walks/huffman.h"
#include "walks/shards.h"
#include "walks/walker.h"

namespace scrl {

struct SkipGramOptions {
  int walks = 10, length = 80, window = 10, dim = 128, passes = 5;
  double lr = 0.025, min_lr = 1e-4;
  bool hierarchical = true;  // hierarchical softmax
  int negative = 0;          // negatives per pair; 0: no negative sampling
  int batch = 8;             // pairs of the same position in a step, at most
  Index round = 0;           // walks between two merges; 0: chosen from the number of nodes
  ShardOptions sharding = {};
};

class SkipGram {
 public:
  // Loops and weights of A are ignored. REQUIRES: A is square and symmetric.
  // Throws Error(kData) when A joins no two nodes, Error(kUsage) when an option makes no sense.
  SkipGram(const Csr& A, const SkipGramOptions& options, std::uint64_t seed);

  Index nodes() const { return walker_.nodes(); }
  // Rows of `out`: inner nodes of the tree, then, with negatives, the nodes.
  Index output_rows() const { return inner_ + (options_.negative > 0 ? nodes() : 0); }
  Index tokens_per_pass() const;

  // Pass 1..passes. in (nodes, dim) starts as initial_vectors, out (output_rows, dim) as zeros; a
  // node without neighbours keeps its row. Everything a later pass depends on is in the two and the
  // pass number. Returns the mean loss of the pairs of every sixteenth walk, as they came up.
  double pass(int pass, Matrix& in, Matrix& out);

 private:
  struct Shard {  // what a shard needs besides its rows
    double loss = 0.0;
    Index pairs = 0;
  };
  void make_walks(int pass, Index first, std::span<const NodeId> starts);
  void train_shard(Index s, int pass, Index first, Index count, float lr, const Matrix& in,
                   const Matrix& out);
  Index tokens_per_shard() const;  // in a round
  double rate(int pass, Index walk) const;

  SkipGramOptions options_;
  std::uint64_t seed_;
  Walker walker_;
  HuffmanTree tree_;
  AliasTable noise_;
  Index inner_ = 0, round_;
  ShardedRows inputs_, outputs_;
  std::vector<Shard> shards_;
  std::vector<NodeId> starts_, tokens_;  // of this sweep, of this round
  std::vector<std::int32_t> radius_;     // of each token
};

}  // namespace scrl
