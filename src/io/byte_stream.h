// io/byte_stream.h: a readable sequence of bytes with a name for error messages.
//
// Implementations: a plain file, a gzip file (recognised by its magic bytes, not its name), one
// entry of a zip archive. All of them stream: memory does not grow with the size of the file.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "base/types.h"

namespace scrl {

class ByteStream {
 public:
  virtual ~ByteStream() = default;
  // Reads up to buffer.size() bytes; 0 means the end. Throws Error(kData) on damage, and when
  // compressed data expands absurdly (see kMaxExpansion).
  virtual std::size_t read(std::span<char> buffer) = 0;

  // How many bytes of a file or archive the content so far was made of: what a reader makes of it
  // may be so many times as large, and no more.
  virtual Index stored_bytes() const = 0;

  // "acm.zip/acm/acm.feature" or "graph/edges.csv": what messages call it.
  const std::string& name() const { return name_; }

 protected:
  explicit ByteStream(std::string name) : name_(std::move(name)) {}

 private:
  std::string name_;
};

// Compressed input may grow by this factor once it has grown past kExpansionAllowance bytes.
// Feature files have been seen to reach 200, deflate ends at 1030.
inline constexpr Index kMaxExpansion = 600;
inline constexpr Index kExpansionAllowance = Index{16} << 20;

// Opens a file, unpacking gzip on the way. Throws Error(kData) "PATH: cannot open: reason".
std::unique_ptr<ByteStream> open_file(const std::string& path);

// The whole stream; throws Error(kData) when it is longer than `limit` bytes.
std::string read_all(ByteStream& stream, Index limit);

}  // namespace scrl
