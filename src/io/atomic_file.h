// io/atomic_file.h: writing a file so that a reader sees the old content or the new, never a part.
//
// The content goes to PATH.tmp-<pid>, is flushed to the disk and then renamed over PATH; the old
// file survives every failure, and a failure leaves no temporary file behind.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace scrl {

// The same for content that comes piece by piece.
class AtomicFile {
 public:
  explicit AtomicFile(const std::string& target);
  ~AtomicFile();  // removes the temporary file unless it became the real one
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view content);
  void become_target();

 private:
  void flush();
  void write_out(std::string_view content);

  std::string target_, path_, buffer_;
  int fd_ = -1;
  bool renamed_ = false;
};

// Throws Error(kResource) when the disk is full or a quota is used up, Error(kRun) on any other
// failure: "PATH: cannot write: reason".
void write_atomically(const std::string& path, std::string_view content);
void write_atomically(const std::string& path, std::span<const std::string_view> pieces);

// Throws what write_atomically() throws, for the errno `reason`.
[[noreturn]] void fail_write(const std::string& path, int reason);

// Makes the renaming of `path` durable. The content is in place by now, and some file systems
// cannot flush a folder: not a failure.
void sync_parent(const std::string& path);

// Creates `path` and its parents as far as they are missing; an existing folder is fine.
void make_directories(const std::string& path);

}  // namespace scrl
