// walks/huffman.h: the tree of hierarchical softmax.
//
// p(c | v) = product over the inner nodes n above leaf c of sigma(+-v . w_n), + where the way to c
// goes along bit 0. A leaf of frequency f lies about -log2(f / sum f) deep, so frequent leaves are
// cheap. The root is inner node 0: the nodes that every path uses lie side by side. Of equal
// weights the one with the smaller number goes first, and leaves go before inner nodes.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/types.h"

namespace scrl {

class HuffmanTree {
 public:
  HuffmanTree() = default;
  // A leaf of frequency 0 is not in the tree. REQUIRES: no frequency below 0; two above.
  explicit HuffmanTree(std::span<const Index> frequency);

  Index inner_nodes() const { return inner_; }
  Index longest_path() const { return longest_; }
  // From the root down: 2 * inner node + 1 - bit, that is, with the label of logistic regression.
  std::span<const std::uint32_t> path(Index leaf) const {
    return {steps_.data() + start_[leaf],
            static_cast<std::size_t>(start_[leaf + 1] - start_[leaf])};
  }

 private:
  Index inner_ = 0, longest_ = 0;
  std::vector<Index> start_;
  std::vector<std::uint32_t> steps_;
};

}  // namespace scrl
