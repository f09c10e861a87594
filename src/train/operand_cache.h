// train/operand_cache.h: operands of one data set, kept from one training to the next.
//
// Trainings that differ in their settings mostly multiply by the same matrices. What was prepared
// last is kept while it fits; the lists of neighbours, which take longest to find, are kept always.
// An exact search finds the neighbours in a fixed order, so the k nearest are the first k of a
// longer list: one search serves every k up to `largest_k`. The approximate search has no such
// order and is repeated for every k.
#pragma once
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "train/prepare.h"

namespace scrl {

// The first k of each list. REQUIRES: k <= from.k.
Neighbours first_neighbours(const Neighbours& from, int k);

class OperandCache {
 public:
  // REQUIRES: `data` outlives the cache. `bytes`: of operands that are kept besides those in use.
  OperandCache(const Dataset& data, int largest_k, Index bytes)
      : data_(data), largest_k_(largest_k), limit_(bytes) {}
  // That of one training: the members of auto ask for up to 15 neighbours.
  explicit OperandCache(const Dataset& data) : OperandCache(data, 15, Index{1} << 29) {}

  // The same bits as prepare().
  std::shared_ptr<const Operands> get(const GraphOptions& o, unsigned views);
  void clear();

  int searches() const { return searches_; }  // for neighbours, so far
  // The lowest recall of its approximate searches, each of which is checked on a few nodes.
  const std::optional<Recall>& lowest_recall() const { return lowest_recall_; }
  std::size_t kept() const { return kept_.size() + neighbours_.size(); }  // that clear() frees

 private:
  struct Kept {
    std::string key;
    std::shared_ptr<const Operands> operands;
    Index bytes = 0;
  };
  Neighbours neighbours(const GraphOptions& o);

  const Dataset& data_;
  int largest_k_;
  Index limit_;
  std::list<Kept> kept_;                          // last used first
  std::map<std::string, Neighbours> neighbours_;  // by search, and by k if that is approximate
  int searches_ = 0;
  std::optional<Recall> lowest_recall_;
};

}  // namespace scrl
