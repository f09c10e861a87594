#include "io/byte_stream.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

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
  std::string out;
  std::vector<char> buffer(1 << 16);
  while (const std::size_t got = stream.read(buffer)) {
    out.append(buffer.data(), got);
    if (static_cast<Index>(out.size()) > limit)
      fail(ErrorKind::kData, stream.name(), ": expected at most ", limit, " bytes, found more");
  }
  return out;
}

}  // namespace scrl
