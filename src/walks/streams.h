// walks/streams.h: which stream of Purpose::kWalks and Purpose::kEdges draws what. Never renumber.
#pragma once
#include <cstdint>

#include "base/rng.h"

namespace scrl {

enum class WalkStream : std::uint32_t { kSteps = 0, kRadii = 1, kNoise = 2, kStarts = 16 };
enum class EdgeStream : std::uint32_t { kSamples = 0 };

inline Rng walk_rng(std::uint64_t seed, WalkStream stream, int pass, int sweep = 0) {
  return Rng(seed, Purpose::kWalks,
             static_cast<std::uint32_t>(stream) + static_cast<std::uint32_t>(sweep),
             static_cast<std::uint32_t>(pass));
}

// Number `index` of 64 bits, two to a draw.
inline std::uint64_t bits_at(const Rng& rng, std::uint64_t index) {
  const Philox4 r = rng.at(index / 2);
  return index % 2 == 0 ? std::uint64_t{r[1]} << 32 | r[0] : std::uint64_t{r[3]} << 32 | r[2];
}

}  // namespace scrl
