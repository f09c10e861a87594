// data/id_map.h: from the names a user gives to nodes to the numbers 0..n-1 used everywhere else.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/types.h"

namespace scrl {

class IdMap {
 public:
  // The fixed set of ids "0".."n-1", the id of a node being its number; costs no memory. `origin`
  // says in messages why there are n: "lines of acm.label".
  static IdMap numbers(Index n, std::string origin = "");
  // No ids yet; add() gives them numbers in order of arrival.
  IdMap() = default;

  Index size() const { return numbers_ ? count_ : static_cast<Index>(names_.size()); }
  std::optional<NodeId> find(std::string_view id) const;

  // The number of `id`, new or old. REQUIRES: not numbers().
  NodeId add(std::string_view id);

  std::string name(Index number) const {
    return numbers_ ? std::to_string(number) : names_[static_cast<std::size_t>(number)];
  }

  // What a message says it expected: "a node number 0..4 (lines of acm.label)" or "a known node
  // id".
  std::string expected() const;

  // Names by number; empty when every name is its own number.
  std::vector<std::string> names() const;

 private:
  // One entry of an open-addressing table: big graphs look up millions of ids, and the part of the
  // hash kept here decides most comparisons without touching a name.
  struct Slot {
    std::uint32_t tag = 0;
    NodeId node = -1;  // -1: free
  };

  std::size_t slot_of(std::string_view id, std::size_t hash) const;
  void grow();

  bool numbers_ = false;
  Index count_ = 0;
  std::string origin_;
  std::vector<std::string> names_;
  std::vector<Slot> slots_;  // a power of two, at most half full
};

}  // namespace scrl
