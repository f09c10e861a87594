#include "base/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace scrl {

struct Hasher::State {
  XXH3_state_t xxh;
};

Hasher::Hasher() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->xxh); }
Hasher::~Hasher() = default;

Hasher& Hasher::bytes(const void* data, std::size_t size) {
  if (size > 0) XXH3_128bits_update(&state_->xxh, data, size);
  return *this;
}

std::string Hasher::hex() const {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&state_->xxh));
  std::string out;
  for (const unsigned char byte : canonical.digest) {
    out += "0123456789abcdef"[byte >> 4];
    out += "0123456789abcdef"[byte & 15];
  }
  return out;
}

std::uint64_t checksum(const void* data, std::size_t size) { return XXH3_64bits(data, size); }

}  // namespace scrl
