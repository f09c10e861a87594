// support/archives.h: gzip and zip files made in memory, so that tests can damage them.
#pragma once
#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scrl {

// window: 15 + 16 for gzip, -15 for raw deflate.
inline std::string deflated(std::string_view text, int window) {
  z_stream z = {};
  deflateInit2(&z, 9, Z_DEFLATED, window, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&z, text.size()) + 32, '\0');
  z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  z.avail_in = static_cast<uInt>(text.size());
  z.next_out = reinterpret_cast<Bytef*>(out.data());
  z.avail_out = static_cast<uInt>(out.size());
  deflate(&z, Z_FINISH);
  out.resize(z.total_out);
  deflateEnd(&z);
  return out;
}

inline std::string gzip_bytes(std::string_view text) { return deflated(text, 15 + 16); }

// One entry of a zip archive; the fields after `text` are what the records claim.
struct ZipSpec {
  std::string name, text;
  std::uint16_t method = 8, flags = 0;
  std::int64_t claim_size = -1;  // -1: the truth, here and below
  std::int64_t claim_offset = -1;
  std::int64_t claim_crc = -1;
  bool zip64 = false;  // sizes and offset in 64 bits
};

class ZipWriter {
 public:
  ZipWriter& add(const ZipSpec& spec) {
    const std::string packed = spec.method == 8 ? deflated(spec.text, -15) : spec.text;
    const auto crc =
        spec.claim_crc >= 0
            ? static_cast<std::uint32_t>(spec.claim_crc)
            : static_cast<std::uint32_t>(
                  crc32_z(0, reinterpret_cast<const Bytef*>(spec.text.data()), spec.text.size()));
    const std::uint64_t size =
        spec.claim_size >= 0 ? static_cast<std::uint64_t>(spec.claim_size) : spec.text.size();
    const std::uint64_t offset =
        spec.claim_offset >= 0 ? static_cast<std::uint64_t>(spec.claim_offset) : bytes_.size();
    const auto common = [&](std::string& out) {
      put(out, 20, 2);
      put(out, spec.flags, 2);
      put(out, spec.method, 2);
      put(out, 0, 4);  // date and time
      put(out, crc, 4);
      put(out, spec.zip64 ? 0xffffffff : packed.size(), 4);
      put(out, spec.zip64 ? 0xffffffff : size, 4);
      put(out, spec.name.size(), 2);
    };
    put(bytes_, 0x04034b50, 4);
    common(bytes_);
    put(bytes_, 0, 2);
    bytes_ += spec.name + packed;

    put(directory_, 0x02014b50, 4);
    put(directory_, 20, 2);
    common(directory_);
    put(directory_, spec.zip64 ? 28 : 0, 2);
    put(directory_, 0, 10);  // comment, disk, attributes
    put(directory_, spec.zip64 ? 0xffffffff : offset, 4);
    directory_ += spec.name;
    if (spec.zip64) {
      put(directory_, 1, 2);
      put(directory_, 24, 2);
      put(directory_, size, 8);
      put(directory_, packed.size(), 8);
      put(directory_, offset, 8);
    }
    ++count_;
    return *this;
  }

  // zip64: also the end records in 64 bits.
  std::string finish(bool zip64 = false, const std::string& comment = "") const {
    std::string out = bytes_ + directory_;
    if (zip64) {
      const std::size_t at = out.size();
      put(out, 0x06064b50, 4);
      put(out, 44, 8);
      put(out, 45 | 45 << 16, 4);
      put(out, 0, 8);
      put(out, count_, 8);
      put(out, count_, 8);
      put(out, directory_.size(), 8);
      put(out, bytes_.size(), 8);
      put(out, 0x07064b50, 4);
      put(out, 0, 4);
      put(out, at, 8);
      put(out, 1, 4);
    }
    put(out, 0x06054b50, 4);
    put(out, 0, 4);
    put(out, zip64 ? 0xffff : count_, 2);
    put(out, zip64 ? 0xffff : count_, 2);
    put(out, zip64 ? 0xffffffff : directory_.size(), 4);
    put(out, zip64 ? 0xffffffff : bytes_.size(), 4);
    put(out, comment.size(), 2);
    return out + comment;
  }

 private:
  static void put(std::string& out, std::uint64_t value, int bytes) {
    for (int i = 0; i < bytes; ++i) {
      out += static_cast<char>(i < 8 ? value >> (8 * i) & 255 : 0);
    }
  }

  std::string bytes_, directory_;
  std::uint64_t count_ = 0;
};

}  // namespace scrl
