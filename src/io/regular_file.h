// io/regular_file.h: opens what has a size and an end: no pipe, device or folder, which could make
// the program wait for ever. Every file that the library reads is opened here.
#pragma once
#include <span>
#include <string>

#include "base/types.h"
#include "scrl/error.h"

namespace scrl {

// Failures are Error(kind) "PATH: ...".
class RegularFile {
 public:
  explicit RegularFile(std::string path, ErrorKind kind = ErrorKind::kData);
  ~RegularFile();
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;

  const std::string& path() const { return path_; }
  Index size() const { return size_; }                        // when it was opened
  std::size_t read(std::span<char> buffer);                   // the next bytes; 0: the end
  void read_all_of(Index offset, std::span<char> out) const;  // fails where the file ends before

 private:
  [[noreturn]] void fail_read() const;

  std::string path_;
  ErrorKind kind_;
  int fd_;
  Index size_ = 0;
};

// The whole file; longer ones than `limit` bytes are refused.
std::string read_file(const std::string& path, Index limit, ErrorKind kind);

// The first bytes of a file, by which its kind is told; empty where there is none to be read.
std::string first_bytes(const std::string& path, std::size_t count);

}  // namespace scrl
