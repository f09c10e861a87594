#include "io/byte_stream.h"

#include <vector>

#include "base/error.h"
#include "io/inflate.h"
#include "io/regular_file.h"

namespace scrl {
namespace {

class FileStream final : public ByteStream {
 public:
  explicit FileStream(const std::string& path) : ByteStream(path), file_(path) {}

  std::size_t read(std::span<char> buffer) override {
    const std::size_t got = file_.read(buffer);
    taken_ += static_cast<Index>(got);
    return got;
  }
  Index stored_bytes() const override { return taken_; }

 private:
  RegularFile file_;
  Index taken_ = 0;
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
