#include "io/atomic_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "base/error.h"
#include "io/paths.h"

namespace scrl {
namespace {

constexpr std::size_t kBuffer = 1 << 16;

}  // namespace

void sync_parent(const std::string& path) {
  const std::filesystem::path parent = std::filesystem::path(path).parent_path();
  const int fd = ::open(parent.empty() ? "." : parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

AtomicFile::AtomicFile(const std::string& target)
    : target_(target), path_(cat(target, ".tmp-", ::getpid())) {
  fd_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (fd_ < 0) fail_write(target_, errno);
}

AtomicFile::~AtomicFile() {
  if (fd_ >= 0) ::close(fd_);
  if (!renamed_) ::unlink(path_.c_str());
}

void AtomicFile::write(std::string_view content) {
  if (content.size() < kBuffer) {
    buffer_ += content;
    if (buffer_.size() >= kBuffer) flush();
    return;
  }
  flush();
  write_out(content);
}

void AtomicFile::flush() {
  write_out(buffer_);
  buffer_.clear();
}

void AtomicFile::write_out(std::string_view content) {
  while (!content.empty()) {
    const ssize_t done = ::write(fd_, content.data(), content.size());
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) fail_write(target_, errno);
    content.remove_prefix(static_cast<std::size_t>(done));
  }
}

void AtomicFile::become_target() {
  flush();
  // Some file systems report a full disk only here.
  if (::fsync(fd_) != 0) fail_write(target_, errno);
  const int closed = ::close(fd_);
  fd_ = -1;
  if (closed != 0) fail_write(target_, errno);
  if (std::rename(path_.c_str(), target_.c_str()) != 0) fail_write(target_, errno);
  renamed_ = true;
  sync_parent(target_);
}

void fail_write(const std::string& path, int reason) {
  const bool full = reason == ENOSPC || reason == EDQUOT;
  fail(full ? ErrorKind::kResource : ErrorKind::kRun, path,
       ": cannot write: ", std::strerror(reason));
}

void write_atomically(const std::string& path, std::string_view content) {
  write_atomically(path, std::span(&content, 1));
}

void write_atomically(const std::string& path, std::span<const std::string_view> pieces) {
  AtomicFile file(path);
  for (const std::string_view piece : pieces) file.write(piece);
  file.become_target();
}

void make_directories(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error || !is_folder(path)) {
    const int reason = error ? error.value() : ENOTDIR;
    fail(reason == ENOSPC || reason == EDQUOT ? ErrorKind::kResource : ErrorKind::kRun, path,
         ": cannot create the folder: ", std::strerror(reason));
  }
}

}  // namespace scrl
