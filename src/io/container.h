// io/container.h: the file format of models, checkpoints and cached data sets.
//
// A file is a header, a table of named sections and the sections themselves, all little endian:
//   "SCRLFILE"  u32 layout  u32 version  u64 header size  u64 file size  u64 header checksum
//   u32 number of sections  u32 length of the kind  kind ("model", "checkpoint", "cache")
//   per section: u32 length of the name  name  u64 offset  u64 size  u64 checksum
// Sections start at multiples of 64 and the gaps are zero. Checksums are XXH3-64; that of the
// header is taken with its own field zero. A reader has checked every byte of the file before it
// hands any out. What the sections of a kind mean is up to the code that writes that kind.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/types.h"
#include "tensor/matrix.h"

namespace scrl {

class ContainerWriter {
 public:
  ContainerWriter(std::string kind, std::uint32_t version);

  // REQUIRES: a name not used before.
  void add(const std::string& name, std::span<const std::byte> bytes);
  void add_text(const std::string& name, std::string_view text);
  template <class T>
  requires std::is_arithmetic_v<T>
  void add_array(const std::string& name, std::span<const T> values) {
    add(name, std::as_bytes(values));
  }
  template <class T>
  void add_array(const std::string& name, const std::vector<T>& values) {
    add_array(name, std::span<const T>(values));
  }

  std::string finish() const;                 // the whole file
  void write(const std::string& path) const;  // the same, atomically and without a second copy

 private:
  std::string header() const;
  std::vector<std::string_view> pieces(const std::string& header) const;

  std::string kind_;
  std::uint32_t version_;
  std::vector<std::pair<std::string, std::vector<std::byte>>> sections_;
};

// Every constructor and accessor throws Error(kModelFile) with a message of its own per defect.
// Spans and views live as long as the reader.
class ContainerReader {
 public:
  ContainerReader(const std::string& path, std::string_view kind, std::uint32_t max_version);
  // `name` is what messages call the bytes, which are copied.
  ContainerReader(std::string name, std::span<const std::byte> bytes, std::string_view kind,
                  std::uint32_t max_version);

  std::uint32_t version() const { return version_; }
  const std::string& name() const { return name_; }
  std::string_view file() const;  // the whole of it
  bool has(const std::string& section) const { return sections_.contains(section); }
  std::span<const std::byte> bytes(const std::string& section) const;
  std::string_view text(const std::string& section) const;

  template <class T>
  requires std::is_arithmetic_v<T> std::span<const T> array(const std::string& section)
  const {
    const auto raw = array_bytes(section, sizeof(T));
    return {reinterpret_cast<const T*>(raw.data()), raw.size() / sizeof(T)};
  }

 private:
  using Buffer = std::vector<std::byte, AlignedAllocator<std::byte>>;
  std::size_t header_size(std::size_t size) const;
  void check_header(std::size_t size) const;
  void parse(std::string_view kind, std::uint32_t max_version);
  void check_padding(Index header_size) const;
  std::span<const std::byte> array_bytes(const std::string& section, std::size_t element) const;

  std::string name_;
  Buffer buffer_;
  std::uint32_t version_ = 0;
  std::map<std::string, std::span<const std::byte>> sections_;
};

}  // namespace scrl
