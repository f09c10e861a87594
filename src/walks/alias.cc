#include "walks/alias.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"

namespace scrl {

AliasTable::AliasTable(std::span<const double> weights) {
  const std::size_t n = weights.size();
  double total = 0.0;
  for (const double w : weights) {
    check(std::isfinite(w) && w >= 0.0, "alias table: a weight is ", w);
    total += w;
  }
  check(n < (std::size_t{1} << 32) && total > 0.0, "alias table: ", n, " weights of sum ", total);
  slots_.resize(n);
  std::vector<double> share(n);  // of the mean weight; below 1 there is room for an alias
  std::vector<std::uint32_t> poor, rich;
  for (std::size_t i = 0; i < n; ++i) {
    share[i] = weights[i] / total * static_cast<double>(n);
    slots_[i] = {UINT32_MAX, static_cast<std::uint32_t>(i)};
    (share[i] < 1.0 ? poor : rich).push_back(static_cast<std::uint32_t>(i));
  }
  while (!poor.empty() && !rich.empty()) {
    const std::uint32_t low = poor.back(), high = rich.back();
    poor.pop_back();
    const double keep = std::min(share[low] * 0x1p32, 0x1p32 - 1.0);
    slots_[low] = {static_cast<std::uint32_t>(keep), high};
    share[high] -= 1.0 - share[low];
    if (share[high] < 1.0) {
      rich.pop_back();
      poor.push_back(high);
    }
  }
  // What is left over has a share of 1 but for rounding, unless its weight is 0.
  for (const std::uint32_t i : poor) {
    if (weights[i] == 0.0) {
      slots_[i] = {0, static_cast<std::uint32_t>(std::max_element(weights.begin(), weights.end()) -
                                                 weights.begin())};
    }
  }
}

}  // namespace scrl
