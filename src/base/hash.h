// base/hash.h: content hashes (XXH3, 128 bits), for fingerprints and result hashes.
//
// They detect change and damage; they are not meant to withstand someone who forges content.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace scrl {

class Hasher {
 public:
  Hasher();
  ~Hasher();
  Hasher(const Hasher&) = delete;
  Hasher& operator=(const Hasher&) = delete;

  Hasher& bytes(const void* data, std::size_t size);
  // Length first, so that ("ab", "c") and ("a", "bc") differ.
  Hasher& text(std::string_view s) { return number(s.size()).bytes(s.data(), s.size()); }
  Hasher& number(std::uint64_t n) { return bytes(&n, sizeof n); }
  template <class Range>
  Hasher& array(const Range& items) {
    return number(std::size(items))
        .bytes(std::data(items), std::size(items) * sizeof(*std::data(items)));
  }
  std::string hex() const;  // 32 digits

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// 64-bit checksum of one block.
std::uint64_t checksum(const void* data, std::size_t size);

}  // namespace scrl
