// walks/alias.h: draws from a discrete distribution in constant time.
//
// Walker's method in Vose's form: slot i of n keeps i with probability keep_i and gives alias_i
// otherwise. One number of 64 bits does: x n / 2^64 has the slot before and the coin behind the
// point.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/types.h"

namespace scrl {

class AliasTable {
 public:
  AliasTable() = default;
  // REQUIRES: weights are finite, none below 0, one above 0; fewer than 2^32.
  explicit AliasTable(std::span<const double> weights);

  Index size() const { return static_cast<Index>(slots_.size()); }
  Index draw(std::uint64_t bits) const {
    const auto product = static_cast<unsigned __int128>(bits) * slots_.size();
    const auto i = static_cast<std::size_t>(product >> 64);
    const auto coin = static_cast<std::uint32_t>(static_cast<std::uint64_t>(product) >> 32);
    return coin < slots_[i].keep ? static_cast<Index>(i) : Index{slots_[i].alias};
  }

 private:
  struct Slot {
    std::uint32_t keep, alias;  // keep in units of 2^-32; a slot that keeps all has itself as alias
  };
  std::vector<Slot> slots_;
};

}  // namespace scrl
