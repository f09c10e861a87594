#include "train/split.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/error.h"
#include "base/rng.h"

namespace scrl {
namespace {

// Labelled nodes by class, in an order drawn from the seed, from which parts are taken.
class Pool {
 public:
  Pool(const Dataset& data, const std::vector<bool>& taken, std::uint64_t seed,
       std::uint32_t stream)
      : by_class_(static_cast<std::size_t>(data.num_classes())) {
    for (Index i = 0; i < data.nodes; ++i)
      if (data.labels[i] != kUnlabelled && !taken[i])
        by_class_[data.labels[i]].push_back(static_cast<NodeId>(i));
    Rng rng(seed, Purpose::kSplit, stream);
    for (auto& nodes : by_class_) rng.shuffle(std::span<NodeId>(nodes));
  }

  Index size() const {
    Index n = 0;
    for (const auto& nodes : by_class_) n += static_cast<Index>(nodes.size());
    return n;
  }

  // Up to `count` of every class.
  std::vector<NodeId> take_per_class(Index count) {
    std::vector<NodeId> out;
    for (auto& nodes : by_class_) move_last(nodes, count, out);
    return sorted(std::move(out));
  }

  // `count` in all, divided over the classes in proportion by largest remainders.
  std::vector<NodeId> take(Index count) {
    const Index total = size();
    count = std::min(count, total);
    std::vector<Index> quota(by_class_.size());
    std::vector<std::pair<double, std::size_t>> rest;
    Index given = 0;
    for (std::size_t c = 0; c < by_class_.size(); ++c) {
      const double share = static_cast<double>(count) * static_cast<double>(by_class_[c].size()) /
                           static_cast<double>(std::max<Index>(1, total));
      quota[c] = static_cast<Index>(std::floor(share));
      given += quota[c];
      rest.emplace_back(-(share - std::floor(share)), c);
    }
    std::sort(rest.begin(), rest.end());
    for (std::size_t r = 0; given < count; r = (r + 1) % rest.size()) {
      const std::size_t c = rest[r].second;
      if (quota[c] >= static_cast<Index>(by_class_[c].size())) continue;
      ++quota[c];
      ++given;
    }
    std::vector<NodeId> out;
    for (std::size_t c = 0; c < by_class_.size(); ++c) move_last(by_class_[c], quota[c], out);
    return sorted(std::move(out));
  }

 private:
  static void move_last(std::vector<NodeId>& from, Index count, std::vector<NodeId>& to) {
    for (; count > 0 && !from.empty(); --count) {
      to.push_back(from.back());
      from.pop_back();
    }
  }
  static std::vector<NodeId> sorted(std::vector<NodeId> nodes) {
    std::sort(nodes.begin(), nodes.end());
    return nodes;
  }
  std::vector<std::vector<NodeId>> by_class_;
};

void mark(std::vector<bool>& taken, const std::vector<NodeId>& nodes) {
  for (const NodeId i : nodes) taken[i] = true;
}

enum Stream : std::uint32_t {
  kValidation = 1,
  kTraining = 2,
  kTest = 3,
  kShares = 4,
  kConformal = 6
};

// With all of the validation nodes.
Split whole_split(const Dataset& data, const SplitOptions& o, bool with_validation,
                  std::uint64_t seed) {
  std::vector<bool> taken(static_cast<std::size_t>(data.nodes));
  if (Pool(data, taken, seed, kShares).size() == 0)
    fail(ErrorKind::kData, data.source,
         ": no node has a label; training needs some, in labels.csv");

  Split split;
  const bool random = o.split == SplitSource::kRandom;
  const auto match = std::find_if(data.splits.begin(), data.splits.end(), [&](const Split& s) {
    return !random && (o.labels == 0 || s.labels_per_class == o.labels);
  });
  if (match != data.splits.end()) {
    split = *match;
  } else if (o.labels > 0) {
    split.labels_per_class = o.labels;
    if (!random && !data.splits.empty()) {
      split.test = data.splits.front().test;
    } else if (!random) {
      // Half of the labelled nodes at most, so that few labels are not all spent on testing.
      Pool pool(data, taken, seed, kTest);
      split.test = pool.take(std::min<Index>(o.test_nodes, pool.size() / 2));
    }
    mark(taken, split.test);
    split.train = Pool(data, taken, seed, kTraining).take_per_class(o.labels);
  } else {
    Pool pool(data, taken, seed, kShares);
    const double labelled = static_cast<double>(pool.size());
    split.test = pool.take(static_cast<Index>(std::floor(labelled * o.test_share)));
    if (with_validation)
      split.val = pool.take(static_cast<Index>(std::floor(labelled * o.val_share)));
    split.train = pool.take(pool.size());
  }
  if (split.train.empty())
    fail(ErrorKind::kData, data.source, ": no training node is left outside the test nodes");

  if (!with_validation) {
    split.val.clear();
  } else if (split.val.empty()) {
    mark(taken, split.train);
    mark(taken, split.test);
    split.val = Pool(data, taken, seed, kValidation).take(o.val_nodes);
    if (split.val.empty()) {
      std::fill(taken.begin(), taken.end(), true);
      for (const NodeId i : split.train) taken[i] = false;
      Pool pool(data, taken, seed, kValidation);
      split.val = pool.take(std::max<Index>(1, pool.size() / 5));
      split.train = pool.take(pool.size());
      if (split.train.empty())
        fail(ErrorKind::kData, data.source,
             ": a single labelled node cannot both train and validate; label more nodes, or use "
             "--protocol fixed");
    }
  }
  if (random && o.labels > 0) {  // whoever neither trains nor validates
    std::fill(taken.begin(), taken.end(), false);
    mark(taken, split.train);
    mark(taken, split.val);
    Pool rest(data, taken, seed, kTest);
    split.test = rest.take(rest.size());
  }
  return split;
}

// Of `val`, those that choose_split() leaves out.
std::vector<NodeId> kept_apart(const Dataset& data, const std::vector<NodeId>& val, double share,
                               std::uint64_t seed) {
  std::vector<bool> taken(static_cast<std::size_t>(data.nodes), true);
  for (const NodeId i : val) taken[i] = false;
  Pool pool(data, taken, seed, kConformal);
  return pool.take(static_cast<Index>(std::floor(static_cast<double>(pool.size()) * share)));
}

}  // namespace

Split choose_split(const Dataset& data, const SplitOptions& o, bool with_validation,
                   std::uint64_t seed) {
  if (o.conformal_share > 0 && !with_validation)
    fail(ErrorKind::kUsage, "conformal_share: it is a share of the validation nodes, and only ",
         "protocol val has some");
  Split split = whole_split(data, o, with_validation, seed);
  if (o.conformal_share == 0) return split;
  const std::vector<NodeId> kept = kept_apart(data, split.val, o.conformal_share, seed);
  std::erase_if(split.val,
                [&](NodeId i) { return std::find(kept.begin(), kept.end(), i) != kept.end(); });
  return split;
}

std::vector<NodeId> conformal_nodes(const Dataset& data, const SplitOptions& o,
                                    std::uint64_t seed) {
  if (o.conformal_share == 0) return {};
  return kept_apart(data, whole_split(data, o, true, seed).val, o.conformal_share, seed);
}

}  // namespace scrl
