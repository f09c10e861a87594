#include "io/deflate.h"

#include <zlib.h>

#include <algorithm>

#include "base/error.h"

namespace scrl {

namespace {

// `window` as zlib has it: negative for no header.
std::string packed(std::string_view bytes, int window) {
  constexpr int kMemory = 8;  // zlib's default
  z_stream z = {};
  if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, window, kMemory, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    fail(ErrorKind::kResource, "deflate: not enough memory to pack ", bytes.size(), " bytes");
  std::string out;
  std::string buffer(1 << 16, '\0');
  int status = Z_OK;
  while (status == Z_OK) {
    if (z.avail_in == 0) {  // zlib counts in 32 bits
      const std::size_t piece = std::min<std::size_t>(bytes.size(), 1u << 30);
      z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
      z.avail_in = static_cast<uInt>(piece);
      bytes.remove_prefix(piece);
    }
    z.next_out = reinterpret_cast<Bytef*>(buffer.data());
    z.avail_out = static_cast<uInt>(buffer.size());
    status = deflate(&z, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
    out.append(buffer.data(), buffer.size() - z.avail_out);
  }
  deflateEnd(&z);
  check(status == Z_STREAM_END, "deflate: zlib ended with status ", status);
  return out;
}

}  // namespace

std::string deflated(std::string_view bytes) { return packed(bytes, MAX_WBITS); }

std::string raw_deflated(std::string_view bytes) { return packed(bytes, -MAX_WBITS); }

std::string base64(std::string_view bytes) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
    unsigned group = 0;
    for (std::size_t j = 0; j < 3; ++j)
      group = group << 8 | (j < have ? static_cast<unsigned char>(bytes[i + j]) : 0u);
    for (std::size_t j = 0; j < 4; ++j)
      out += j <= have ? kDigits[group >> (18 - 6 * j) & 63] : '=';
  }
  return out;
}

}  // namespace scrl
