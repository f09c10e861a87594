#include "io/inflate.h"

#include <zlib.h>

#include <algorithm>
#include <vector>

#include "base/error.h"

namespace scrl {
namespace {

enum class Format { kGzip, kRawDeflate };

class InflateStream final : public ByteStream {
 public:
  InflateStream(std::unique_ptr<ByteStream> packed, Format format)
      : ByteStream(packed->name()), packed_(std::move(packed)), format_(format), input_(1 << 16) {
    // 15: the largest window; +16 asks zlib for the gzip wrapper, a negative value for none.
    const int status = inflateInit2(&z_, format == Format::kGzip ? 15 + 16 : -15);
    if (status != Z_OK) fail(ErrorKind::kResource, name(), ": not enough memory to unpack");
  }
  ~InflateStream() override { inflateEnd(&z_); }

  std::size_t read(std::span<char> buffer) override {
    z_.next_out = reinterpret_cast<Bytef*>(buffer.data());
    const std::size_t want = std::min<std::size_t>(buffer.size(), 1u << 30);
    z_.avail_out = static_cast<uInt>(want);
    while (z_.avail_out == want && want > 0) {
      if (z_.avail_in == 0) refill();
      if (at_member_end_ && !begin_next_member()) break;
      step();
    }
    const std::size_t got = want - z_.avail_out;
    produced_ += static_cast<Index>(got);
    const Index used = consumed_ - z_.avail_in;
    if (produced_ > kExpansionAllowance && produced_ / kMaxExpansion > used) {
      fail(ErrorKind::kData, name(), ": refused: ", used, " packed bytes expand to more than ",
           produced_, "; unpack the file first if it is genuine");
    }
    return got;
  }
  Index stored_bytes() const override { return packed_->stored_bytes(); }

 private:
  void refill() {
    const std::size_t got = packed_->read(input_);
    z_.next_in = reinterpret_cast<Bytef*>(input_.data());
    z_.avail_in = static_cast<uInt>(got);
    consumed_ += static_cast<Index>(got);
  }

  // A gzip file may go on with another member; anything else after the end is damage.
  bool begin_next_member() {
    if (z_.avail_in == 0) return false;
    if (format_ == Format::kRawDeflate || *z_.next_in != 0x1f) {
      fail(ErrorKind::kData, name(), ": damaged: other bytes follow the end of the packed data");
    }
    inflateReset(&z_);
    at_member_end_ = false;
    return true;
  }

  void step() {
    const bool dry = z_.avail_in == 0;
    const int status = inflate(&z_, Z_NO_FLUSH);
    if (status == Z_STREAM_END) {
      at_member_end_ = true;
    } else if (status == Z_MEM_ERROR) {
      fail(ErrorKind::kResource, name(), ": not enough memory to unpack");
    } else if (status == Z_BUF_ERROR || (status == Z_OK && dry && z_.avail_out > 0)) {
      fail(ErrorKind::kData, name(), ": truncated: packed data ends before its end mark");
    } else if (status != Z_OK) {
      fail(ErrorKind::kData, name(),
           ": damaged: ", z_.msg != nullptr ? z_.msg : "packed data cannot be read");
    }
  }

  std::unique_ptr<ByteStream> packed_;
  Format format_;
  std::vector<char> input_;
  z_stream z_ = {};
  bool at_member_end_ = false;
  Index consumed_ = 0, produced_ = 0;
};

// Delivers a few bytes that were read ahead, then the rest.
class PrefixedStream final : public ByteStream {
 public:
  PrefixedStream(std::string prefix, std::unique_ptr<ByteStream> rest)
      : ByteStream(rest->name()), prefix_(std::move(prefix)), rest_(std::move(rest)) {}

  std::size_t read(std::span<char> buffer) override {
    if (at_ == prefix_.size()) return rest_->read(buffer);
    const std::size_t n = std::min(buffer.size(), prefix_.size() - at_);
    std::copy_n(prefix_.data() + at_, n, buffer.data());
    at_ += n;
    return n;
  }
  Index stored_bytes() const override { return rest_->stored_bytes(); }

 private:
  std::string prefix_;
  std::size_t at_ = 0;
  std::unique_ptr<ByteStream> rest_;
};

}  // namespace

std::unique_ptr<ByteStream> unpack_if_gzip(std::unique_ptr<ByteStream> packed) {
  std::string head(2, '\0');
  std::size_t have = 0;
  while (have < 2) {
    const std::size_t got = packed->read(std::span(head).subspan(have));
    if (got == 0) break;
    have += got;
  }
  head.resize(have);
  const bool gzip = head == "\x1f\x8b";
  auto whole = std::make_unique<PrefixedStream>(std::move(head), std::move(packed));
  if (!gzip) return whole;
  return std::make_unique<InflateStream>(std::move(whole), Format::kGzip);
}

std::unique_ptr<ByteStream> unpack_deflate(std::unique_ptr<ByteStream> packed) {
  return std::make_unique<InflateStream>(std::move(packed), Format::kRawDeflate);
}

}  // namespace scrl
