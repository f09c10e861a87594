// tests/support/clouds.h: points for the tests of maps.
#pragma once
#include <cstring>

#include "base/rng.h"
#include "tensor/matrix.h"

namespace scrl {

// Row i belongs to group i % groups; centres are `apart` deviations away from each other.
inline Matrix cloud(Index rows, Index cols, Index groups, double apart, std::uint64_t seed) {
  Rng rng(seed);
  Matrix centre(groups, cols), out(rows, cols);
  for (Index g = 0; g < groups; ++g)
    for (Index j = 0; j < cols; ++j) centre(g, j) = static_cast<float>(apart * rng.normal());
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < cols; ++j)
      out(i, j) = centre(i % groups, j) + static_cast<float>(rng.normal());
  return out;
}

inline bool same_bits(const Matrix& a, const Matrix& b) {
  return a.same_shape(b) && std::memcmp(a.data(), b.data(), sizeof(float) * a.size()) == 0;
}

}  // namespace scrl
