#include "ranks/tree_reduction.h"

#include <algorithm>

namespace scrl {
namespace {

constexpr Index kUnit = 16;         // ranges begin at whole cache lines of floats
constexpr Index kNarrow = 1 << 12;  // values that are sent to everybody at once

// How many runs the weights need if none may exceed `limit`.
int runs_within(std::span<const Index> weights, Index limit) {
  int runs = 1;
  Index sum = 0;
  for (const Index w : weights) {
    if (sum + w > limit && sum > 0) ++runs, sum = 0;
    sum += w;
  }
  return runs;
}

}  // namespace

std::vector<Subtree> BlockOwners::subtrees(int rank) const {
  const auto r = static_cast<std::size_t>(rank);
  char nothing = 0;
  TreeSum<char> tree(&nothing, 0);
  for (Index b = first[r]; b < first[r + 1]; ++b) tree.push_block(b);
  return {tree.subtrees().begin(), tree.subtrees().end()};
}

BlockOwners balanced_owners(std::span<const Index> weights, int ranks) {
  check(ranks >= 1 && !weights.empty(), "balanced_owners: ", weights.size(), " blocks for ", ranks,
        " ranks");
  Index low = 0, high = 0;  // of the heaviest run
  for (const Index w : weights) {
    check(w >= 0, "balanced_owners: a block of weight ", w);
    low = std::max(low, w), high += w;
  }
  while (low < high) {
    const Index middle = low + (high - low) / 2;
    if (runs_within(weights, middle) <= ranks) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  BlockOwners out{{0}};
  Index sum = 0;
  for (std::size_t b = 0; b < weights.size(); ++b) {
    // A rank without blocks is left only where there are more ranks than blocks.
    const std::size_t ranks_left = static_cast<std::size_t>(ranks) - out.first.size();
    const bool full = sum + weights[b] > low, needed = weights.size() - b <= ranks_left;
    if (static_cast<Index>(b) > out.first.back() && ranks_left > 0 && (full || needed)) {
      out.first.push_back(static_cast<Index>(b));
      sum = 0;
    }
    sum += weights[b];
  }
  out.first.resize(static_cast<std::size_t>(ranks) + 1, static_cast<Index>(weights.size()));
  return out;
}

ValueRange range_of(Index width, int rank, int ranks) {
  const Index units = chunk_count(width, kUnit);
  return {std::min(width, units * rank / ranks * kUnit),
          std::min(width, units * (rank + 1) / ranks * kUnit)};
}

TreeReduction::TreeReduction(Communicator& ranks, const BlockOwners& owners)
    : ranks_(ranks), owners_(owners) {
  check(static_cast<int>(owners.first.size()) == ranks.size() + 1,
        "tree reduction: ", owners.first.size() - 1, " owners for ", ranks.size(), " ranks");
}

template <class T>
void TreeReduction::check_own(const TreeSum<T>& own) const {
  check(std::ranges::equal(own.subtrees(), owners_.subtrees(ranks_.rank())),
        "tree reduction: rank ", ranks_.rank(), " has not added up the blocks that it owns");
}

template <class T>
std::vector<T> TreeReduction::finished(const std::vector<T>& parts, Index width) const {
  std::vector<T> room(static_cast<std::size_t>(TreeSum<T>::room(owners_.blocks(), width)));
  TreeSum<T> tree(room.data(), width);
  const T* from = parts.data();
  for (int r = 0; r < ranks_.size(); ++r) {
    for (const Subtree part : owners_.subtrees(r)) {
      std::copy_n(from, width, tree.next());
      tree.push(part);
      from += width;
    }
  }
  const T* const sum = tree.total();
  return {sum, sum + width};
}

template <class T>
std::vector<T> TreeReduction::own_range(const TreeSum<T>& own, Index width) const {
  check_own(own);
  const int size = ranks_.size();
  const Index parts = static_cast<Index>(own.subtrees().size());
  const ValueRange mine = range_of(width, ranks_.rank(), size);
  const Index length = mine.end - mine.begin;
  std::vector<T> send;
  std::vector<Index> send_counts, recv_counts;
  Index received = 0;
  for (int r = 0; r < size; ++r) {
    const ValueRange to = range_of(width, r, size);
    for (Index p = 0; p < parts; ++p)
      send.insert(send.end(), own.subtree_sum(p) + to.begin, own.subtree_sum(p) + to.end);
    send_counts.push_back(parts * (to.end - to.begin));
    recv_counts.push_back(static_cast<Index>(owners_.subtrees(r).size()) * length);
    received += recv_counts.back();
  }
  std::vector<T> recv(static_cast<std::size_t>(received));
  ranks_.exchange<T>(send, send_counts, recv, recv_counts);
  return finished(recv, length);
}

template <class T>
void TreeReduction::gather_ranges(std::span<T> values) const {
  const Index width = static_cast<Index>(values.size());
  const int size = ranks_.size();
  const ValueRange mine = range_of(width, ranks_.rank(), size);
  std::vector<T> send;
  std::vector<Index> send_counts, recv_counts;
  for (int r = 0; r < size; ++r) {
    send.insert(send.end(), values.begin() + mine.begin, values.begin() + mine.end);
    send_counts.push_back(mine.end - mine.begin);
    const ValueRange from = range_of(width, r, size);
    recv_counts.push_back(from.end - from.begin);
  }
  ranks_.exchange<T>(send, send_counts, values, recv_counts);
}

template <class T>
void TreeReduction::total(const TreeSum<T>& own, std::span<T> out) const {
  const Index width = static_cast<Index>(out.size());
  if (width > kNarrow) {
    const std::vector<T> sum = own_range(own, width);
    std::ranges::copy(sum, out.begin() + range_of(width, ranks_.rank(), ranks_.size()).begin);
    return gather_ranges(out);
  }
  check_own(own);
  const Index parts = static_cast<Index>(own.subtrees().size());
  std::vector<T> send;
  for (int r = 0; r < ranks_.size(); ++r)
    send.insert(send.end(), own.subtree_sum(0), own.subtree_sum(parts));
  std::vector<Index> recv_counts;
  Index received = 0;
  for (int r = 0; r < ranks_.size(); ++r) {
    recv_counts.push_back(static_cast<Index>(owners_.subtrees(r).size()) * width);
    received += recv_counts.back();
  }
  const std::vector<Index> send_counts(recv_counts.size(), parts * width);
  std::vector<T> recv(static_cast<std::size_t>(received));
  ranks_.exchange<T>(send, send_counts, recv, recv_counts);
  std::ranges::copy(finished(recv, width), out.begin());
}

#define SCRL_INSTANTIATE(T)                                                         \
  template void TreeReduction::total(const TreeSum<T>&, std::span<T>) const;        \
  template std::vector<T> TreeReduction::own_range(const TreeSum<T>&, Index) const; \
  template void TreeReduction::gather_ranges(std::span<T>) const;
SCRL_INSTANTIATE(float)
SCRL_INSTANTIATE(double)
#undef SCRL_INSTANTIATE

}  // namespace scrl
