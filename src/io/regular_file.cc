#include "io/regular_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"

namespace scrl {
namespace {

const char* kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISFIFO(mode)) return "a pipe";
  if (S_ISSOCK(mode)) return "a socket";
  return "a device";
}

}  // namespace

// O_NONBLOCK: opening a pipe would wait for a writer. It changes nothing for a regular file.
RegularFile::RegularFile(std::string path, ErrorKind kind)
    : path_(std::move(path)),
      kind_(kind),
      fd_(::open(path_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  struct stat info = {};
  if (fd_ < 0 || ::fstat(fd_, &info) != 0) {
    const int reason = errno;
    if (fd_ >= 0) ::close(fd_);
    fail(kind_, path_, ": cannot open: ", std::strerror(reason));
  }
  if (!S_ISREG(info.st_mode)) {
    ::close(fd_);
    fail(kind_, path_, ": expected a file, found ", kind_of(info.st_mode));
  }
  size_ = info.st_size;
}

RegularFile::~RegularFile() { ::close(fd_); }

void RegularFile::fail_read() const { fail(kind_, path_, ": cannot read: ", std::strerror(errno)); }

std::size_t RegularFile::read(std::span<char> buffer) {
  for (;;) {
    const ssize_t got = ::read(fd_, buffer.data(), buffer.size());
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) fail_read();
  }
}

void RegularFile::read_all_of(Index offset, std::span<char> out) const {
  while (!out.empty()) {
    const ssize_t got = ::pread(fd_, out.data(), out.size(), offset);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_read();
    if (got == 0) fail(kind_, path_, ": truncated: ends at byte ", offset);
    out = out.subspan(static_cast<std::size_t>(got));
    offset += got;
  }
}

std::string read_file(const std::string& path, Index limit, ErrorKind kind) {
  RegularFile file(path, kind);
  std::string out, piece(1 << 16, '\0');
  while (const std::size_t got = file.read(piece)) {
    out.append(piece, 0, got);
    if (static_cast<Index>(out.size()) > limit)
      fail(kind, path, ": expected at most ", limit, " bytes, found more");
  }
  return out;
}

std::string first_bytes(const std::string& path, std::size_t count) {
  try {
    RegularFile file(path);
    std::string out(count, '\0');
    out.resize(file.read(out));
    return out;
  } catch (const Error&) {
    return {};
  }
}

}  // namespace scrl
