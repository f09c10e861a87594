#include "io/zip.h"

#include <zlib.h>

#include <algorithm>

#include "base/error.h"
#include "io/inflate.h"
#include "io/regular_file.h"
#include "io/zip_directory.h"

namespace scrl {

// Reads by position, so that streams over the same file do not disturb each other.
class ZipArchive::File final : public ZipBytes {
 public:
  explicit File(const std::string& path) : file_(path) {}
  Index size() const override { return file_.size(); }
  void read(Index offset, std::span<char> out) const override { file_.read_all_of(offset, out); }

 private:
  RegularFile file_;
};

namespace {

class RangeStream final : public ByteStream {
 public:
  RangeStream(std::string name, std::shared_ptr<const ZipBytes> file, Index begin, Index end)
      : ByteStream(std::move(name)), file_(std::move(file)), begin_(begin), at_(begin), end_(end) {}

  std::size_t read(std::span<char> buffer) override {
    const Index n = std::min(static_cast<Index>(buffer.size()), end_ - at_);
    file_->read(at_, buffer.first(static_cast<std::size_t>(n)));
    at_ += n;
    return static_cast<std::size_t>(n);
  }
  Index stored_bytes() const override { return at_ - begin_; }

 private:
  std::shared_ptr<const ZipBytes> file_;
  Index begin_, at_, end_;
};

// Compares what passes through with the size and CRC promised by the directory.
class CheckedStream final : public ByteStream {
 public:
  CheckedStream(std::unique_ptr<ByteStream> inner, const ZipEntry& entry)
      : ByteStream(inner->name()), inner_(std::move(inner)), size_(entry.size), crc_(entry.crc) {}

  std::size_t read(std::span<char> buffer) override {
    if (buffer.empty()) return 0;
    const std::size_t got = inner_->read(buffer);
    seen_ += static_cast<Index>(got);
    running_ = crc32_z(running_, reinterpret_cast<const Bytef*>(buffer.data()), got);
    if (seen_ > size_ || (got == 0 && seen_ != size_)) {
      fail(ErrorKind::kData, name(), ": damaged: expected ", size_, " bytes, found ",
           got == 0 ? "" : "at least ", seen_);
    }
    if (got == 0 && running_ != crc_) {
      fail(ErrorKind::kData, name(), ": damaged: the checksum does not match");
    }
    return got;
  }
  Index stored_bytes() const override { return inner_->stored_bytes(); }

 private:
  std::unique_ptr<ByteStream> inner_;
  Index size_, seen_ = 0;
  uLong crc_, running_ = 0;
};

}  // namespace

ZipArchive::ZipArchive(const std::string& path) : path_(path), file_(std::make_shared<File>(path)) {
  entries_ = read_zip_directory(path, *file_);
}

ZipArchive::~ZipArchive() = default;

const ZipEntry* ZipArchive::find(const std::string& name) const {
  const auto at =
      std::lower_bound(entries_.begin(), entries_.end(), name,
                       [](const ZipEntry& e, const std::string& n) { return e.name < n; });
  return at != entries_.end() && at->name == name ? &*at : nullptr;
}

std::unique_ptr<ByteStream> ZipArchive::open(const ZipEntry& entry) const {
  const std::string name = cat(path_, "/", entry.name);
  const Index begin = locate_zip_data(name, *file_, entry);
  auto packed = std::make_unique<RangeStream>(name, file_, begin, begin + entry.packed_size);
  if (entry.method == 0) return std::make_unique<CheckedStream>(std::move(packed), entry);
  return std::make_unique<CheckedStream>(unpack_deflate(std::move(packed)), entry);
}

std::unique_ptr<ByteStream> ZipArchive::open(const std::string& name) const {
  const ZipEntry* entry = find(name);
  if (entry == nullptr) fail(ErrorKind::kData, path_, ": no entry named ", name);
  return open(*entry);
}

bool is_zip(const std::string& path) {
  const std::string head = first_bytes(path, 4);
  return head == "PK\3\4" || head == "PK\5\6";  // the latter: an archive without entries
}

}  // namespace scrl
