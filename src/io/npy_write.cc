#include "io/npy_write.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/error.h"
#include "io/byte_stream.h"
#include "io/npy_header.h"
#include "io/utf8.h"

namespace scrl {
namespace {

static_assert(std::endian::native == std::endian::little, ".npy data are little endian");

template <class T>
std::string_view bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

template <class T>
std::string vector_of(std::string_view type, std::span<const T> values) {
  return npy_preamble(type, {static_cast<Index>(values.size())}).append(bytes_of(values));
}

}  // namespace

std::string npy_of(std::span<const NodeId> values) { return vector_of("<i4", values); }
std::string npy_of(std::span<const Index> values) { return vector_of("<i8", values); }
std::string npy_of(std::span<const float> values) { return vector_of("<f4", values); }

std::string npy_of_pairs(std::span<const NodeId> first, std::span<const NodeId> second) {
  return npy_preamble("<i4", {2, static_cast<Index>(first.size())})
      .append(bytes_of(first))
      .append(bytes_of(second));
}

std::string npy_of_texts(const std::vector<std::string>& texts) {
  std::size_t width = 1;  // numpy has no texts of length 0
  for (const std::string& text : texts) width = std::max(width, unicode(text).size());
  std::string out = npy_preamble(cat("<U", width), {static_cast<Index>(texts.size())});
  for (const std::string& text : texts) {
    std::u32string code = unicode(text);
    code.resize(width);
    out.append(bytes_of(std::span<const char32_t>(code)));
  }
  return out;
}

std::string npy_of_word(std::string_view word) {
  return npy_preamble(cat("|S", word.size()), {}).append(word);
}

bool npy_of_objects(ByteStream& stream) {
  std::array<char, 256> start{};
  std::size_t have = 0;
  while (have < start.size()) {
    const std::size_t got = stream.read(std::span(start).subspan(have));
    if (got == 0) break;
    have += got;
  }
  return std::string_view(start.data(), have).find("'|O'") != std::string_view::npos;
}

}  // namespace scrl
