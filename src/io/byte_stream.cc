#include "io/byte_stream.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/error.h"
#include "io/inflate.h"

namespace scrl {
namespace {

class FileStream final : public ByteStream {
 public:
  explicit FileStream(const std::string& path)
      : ByteStream(path), fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    if (fd_ < 0) fail(ErrorKind::kData, path, ": cannot open: ", std::strerror(errno));
  }
  ~FileStream() override { ::close(fd_); }

  std::size_t read(std::span<char> buffer) override {
    for (;;) {
      const ssize_t got = ::read(fd_, buffer.data(), buffer.size());
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) fail(ErrorKind::kData, name(), ": cannot read: ", std::strerror(errno));
    }
  }

 private:
  int fd_;
};

}  // namespace

std::unique_ptr<ByteStream> open_file(const std::string& path) {
  return unpack_if_gzip(std::make_unique<FileStream>(path));
}

std::string read_all(ByteStream& stream, Index limit) {
  constexpr Index kStep = 1 << 20;
  std::string out;
  for (;;) {
    const Index have = static_cast<Index>(out.size());
    // One byte beyond the limit tells a stream that is too long from one that just fits.
    out.resize(static_cast<std::size_t>(have + std::min(kStep, limit - have + 1)));
    const std::size_t got = stream.read(std::span(out).subspan(static_cast<std::size_t>(have)));
    out.resize(static_cast<std::size_t>(have) + got);
    if (got == 0) return out;
    if (static_cast<Index>(out.size()) > limit) {
      fail(ErrorKind::kData, stream.name(), ": expected at most ", limit, " bytes, found more");
    }
  }
}

}  // namespace scrl
