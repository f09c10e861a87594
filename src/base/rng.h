// base/rng.h: Philox4x32-10, the one generator of the program.
//
// Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011. A draw is a pure function
// of (seed, purpose, epoch, index): it depends neither on the number of threads nor on how many
// numbers others drew before. Layout of the 128-bit counter:
//   c0, c1 = index (low, high)     c2 = epoch     c3 = purpose * 2^24 + stream
// The vectorised twin lives in kernels/dropout.cc and must agree bit for bit.
#pragma once
#include <array>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>

namespace scrl {

using Philox4 = std::array<std::uint32_t, 4>;

inline constexpr std::uint32_t kPhiloxM0 = 0xD2511F53u, kPhiloxM1 = 0xCD9E8D57u;
inline constexpr std::uint32_t kPhiloxW0 = 0x9E3779B9u, kPhiloxW1 = 0xBB67AE85u;

constexpr Philox4 philox(Philox4 c, std::uint32_t k0, std::uint32_t k1) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{kPhiloxM0} * c[0];
    const std::uint64_t p1 = std::uint64_t{kPhiloxM1} * c[2];
    c = {static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ k0, static_cast<std::uint32_t>(p1),
         static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ k1, static_cast<std::uint32_t>(p0)};
    k0 += kPhiloxW0;
    k1 += kPhiloxW1;
  }
  return c;
}

// What a number is drawn for. Values are part of the determinism promise: never renumber.
enum class Purpose : std::uint32_t {
  kInit = 1,        // weights; stream = parameter number
  kDropout = 2,     // stream = dropout site, index = element
  kSplit = 3,       // validation and label draws
  kDemo = 4,        // the built-in graph
  kTest = 5,        // test data
  kNeighbours = 6,  // approximate nearest neighbours; stream = tree, epoch = level
  kWalks = 20,      // walks and what is drawn along them; epoch = pass
  kEdges = 21,      // sampled edges and their noise; epoch = pass
  kFolds = 22,      // cross-validation of a head; stream = class
  kHead = 23,       // weights of a head; stream = repeat
  kClusters = 24,   // first centres of k-means
  kTsne = 25,       // t-SNE: directions and first places; stream 1: places
  kTune = 26,       // settings that scrl tune tries; stream = setting, epoch = draw
};

// A reproducible source of numbers for one (seed, purpose, stream, epoch).
class Rng {
 public:
  explicit constexpr Rng(std::uint64_t seed, Purpose purpose = Purpose::kTest,
                         std::uint32_t stream = 0, std::uint32_t epoch = 0)
      : key0_(static_cast<std::uint32_t>(seed)),
        key1_(static_cast<std::uint32_t>(seed >> 32)),
        epoch_(epoch),
        tag_(static_cast<std::uint32_t>(purpose) << 24 | (stream & 0xFFFFFFu)) {}

  // 128 random bits for an index; random access, no state.
  constexpr Philox4 at(std::uint64_t index) const {
    return philox(
        {static_cast<std::uint32_t>(index), static_cast<std::uint32_t>(index >> 32), epoch_, tag_},
        key0_, key1_);
  }
  // In [0, 1), 24 bits, for an index.
  constexpr float uniform_at(std::uint64_t index) const {
    return static_cast<float>(at(index / 4)[index % 4] >> 8) * 0x1p-24f;
  }

  // Sequential use: every call advances this object by one number.
  constexpr std::uint64_t next() {
    const Philox4 r = at(position_++);
    return std::uint64_t{r[1]} << 32 | r[0];
  }
  constexpr double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
  // In [0, n), without bias worth naming (n far below 2^64).
  constexpr std::uint64_t below(std::uint64_t n) {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(next()) * n >> 64);
  }
  double normal();

  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

  constexpr std::uint32_t key0() const { return key0_; }
  constexpr std::uint32_t key1() const { return key1_; }
  constexpr std::uint32_t epoch() const { return epoch_; }
  constexpr std::uint32_t tag() const { return tag_; }

 private:
  std::uint32_t key0_, key1_, epoch_, tag_;
  std::uint64_t position_ = 0;
};

}  // namespace scrl
