#include "walks/huffman.h"

#include <algorithm>
#include <limits>

#include "base/error.h"

namespace scrl {

// Two queues, both ascending: the leaves sorted by frequency, and the inner nodes in the order in
// which they are made (van Leeuwen 1976).
HuffmanTree::HuffmanTree(std::span<const Index> frequency) {
  const Index leaves = static_cast<Index>(frequency.size());
  std::vector<Index> sorted;
  for (Index i = 0; i < leaves; ++i) {
    check(frequency[i] >= 0, "Huffman tree: leaf ", i, " has frequency ", frequency[i]);
    if (frequency[i] > 0) sorted.push_back(i);
  }
  const Index m = static_cast<Index>(sorted.size());
  check(m >= 2 && m <= kMaxNodes, "Huffman tree: ", m, " leaves with a frequency; 2 are needed");
  std::stable_sort(sorted.begin(), sorted.end(),
                   [&](Index a, Index b) { return frequency[a] < frequency[b]; });

  inner_ = m - 1;
  // Nodes 0..m-1 are the sorted leaves, m.. the inner nodes as made; the root is made last.
  std::vector<Index> weight(static_cast<std::size_t>(2 * m - 1)), parent(weight.size());
  std::vector<std::uint8_t> bit(weight.size());
  for (Index i = 0; i < m; ++i) weight[i] = frequency[sorted[i]];
  Index next_leaf = 0, next_inner = m;
  for (Index made = m; made < 2 * m - 1; ++made) {
    for (const std::uint8_t b : {0, 1}) {
      const bool leaf =
          next_leaf < m && (next_inner == made || weight[next_leaf] <= weight[next_inner]);
      const Index child = leaf ? next_leaf++ : next_inner++;
      weight[made] += weight[child];
      parent[child] = made;
      bit[child] = b;
    }
  }

  const Index root = 2 * m - 2;
  std::vector<Index> depth(weight.size());
  for (Index node = root - 1; node >= 0; --node) depth[node] = depth[parent[node]] + 1;
  start_.assign(static_cast<std::size_t>(leaves + 1), 0);
  for (Index i = 0; i < m; ++i) start_[sorted[i] + 1] = depth[i];
  for (Index i = 0; i < leaves; ++i) {
    longest_ = std::max(longest_, start_[i + 1]);
    start_[i + 1] += start_[i];
  }
  steps_.resize(static_cast<std::size_t>(start_[leaves]));
  for (Index i = 0; i < m; ++i) {
    Index at = start_[sorted[i] + 1];
    for (Index node = i; node != root; node = parent[node]) {
      steps_[--at] = static_cast<std::uint32_t>(2 * (root - parent[node]) + 1 - bit[node]);
    }
  }
}

}  // namespace scrl
