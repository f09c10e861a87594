#include "io/npy.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "base/error.h"
#include "io/npy_header.h"
#include "io/utf8.h"

namespace scrl {
namespace {

static_assert(std::endian::native == std::endian::little, ".npy data are little endian");

constexpr std::size_t kMaxHeader = 1 << 16;  // real ones have about 100 bytes

template <class T>
T load(const char* from) {
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

float half_to_float(std::uint16_t bits) {
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  float magnitude;
  if (exponent == 31) {
    magnitude =
        mantissa ? std::numeric_limits<float>::quiet_NaN() : std::numeric_limits<float>::infinity();
  } else if (exponent == 0) {
    magnitude = std::ldexp(static_cast<float>(mantissa), -24);
  } else {
    magnitude = std::ldexp(static_cast<float>(mantissa + 1024), exponent - 25);
  }
  return bits >> 15 ? -magnitude : magnitude;
}

// To the nearest, ties to even; what is too large becomes the largest finite number.
std::uint16_t float_to_half(float value) {
  constexpr float kLargest = 65504;
  const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value)) return sign | 0x7e00;
  const float magnitude = std::min(std::abs(value), kLargest);
  if (magnitude == 0) return sign;
  int exponent = 0;
  std::frexp(magnitude, &exponent);
  // The unit of the last place: 2^-24 for subnormal numbers, else 11 bits of mantissa.
  const int unit = std::max(exponent - 11, -24);
  const auto units = static_cast<int>(std::nearbyint(std::ldexp(magnitude, -unit)));
  // A mantissa that rounds up to 2^11 carries into the exponent by itself.
  return static_cast<std::uint16_t>(sign | (units + ((unit + 24) << 10)));
}

}  // namespace

Index NpyHeader::count() const {
  Index product = 1;
  for (const Index size : shape) product *= size;
  return product;
}

NpyReader::NpyReader(std::unique_ptr<ByteStream> stream) : stream_(std::move(stream)) {
  parse_header();
  left_ = header_.count();
}

// Fills the buffer as far as the stream reaches.
std::size_t NpyReader::read_raw(std::span<char> buffer) {
  std::size_t have = 0;
  while (have < buffer.size()) {
    const std::size_t got = stream_->read(buffer.subspan(have));
    if (got == 0) break;
    have += got;
  }
  return have;
}

void NpyReader::parse_header() {
  const auto need = [&](std::span<char> buffer) {
    if (read_raw(buffer) != buffer.size()) {
      fail(ErrorKind::kData, name(), ": too short for an .npy header");
    }
  };
  std::array<char, 8> start{};
  if (read_raw(start) != start.size() || std::string_view(start.data(), 6) != kNpyMagic) {
    fail(ErrorKind::kData, name(), ": is not a .npy array");
  }
  const int version = static_cast<unsigned char>(start[6]);
  if (version < 1 || version > 3) {
    fail(ErrorKind::kData, name(), ": .npy version ", version, " is not read, expected 1, 2 or 3");
  }
  std::array<char, 4> length{};  // two bytes in version 1
  need(std::span(length).first(version == 1 ? 2 : 4));
  const std::size_t size = load<std::uint32_t>(length.data());
  if (size > kMaxHeader) {
    fail(ErrorKind::kData, name(), ": .npy header of ", size, " bytes, expected at most ",
         kMaxHeader);
  }
  std::string text(size, '\0');
  need(text);
  header_ = parse_npy_header(text, name());
}

template <class T, class Convert>
void NpyReader::read_as(std::span<T> values, Convert convert) {
  check(static_cast<Index>(values.size()) <= left_, name(), ": read past the end");
  const std::size_t width = static_cast<std::size_t>(header_.width);
  std::array<char, 1 << 16> buffer;
  while (!values.empty()) {
    const std::size_t n = std::min(values.size(), buffer.size() / width);
    const std::size_t got = read_raw(std::span(buffer).first(n * width));
    if (got != n * width) {
      fail(ErrorKind::kData, name(), ": too short: expected ", header_.count(), " values, found ",
           header_.count() - left_ + static_cast<Index>(got / width));
    }
    for (std::size_t i = 0; i < n; ++i) values[i] = convert(buffer.data() + i * width);
    values = values.subspan(n);
    left_ -= static_cast<Index>(n);
  }
}

void NpyReader::read(std::span<float> values) {
  const auto as = [&]<class T>(T) {
    read_as(values, [](const char* p) { return static_cast<float>(load<T>(p)); });
  };
  switch (header_.kind * 16 + header_.width) {
    case 'f' * 16 + 2:
      return read_as(values, [](const char* p) { return half_to_float(load<std::uint16_t>(p)); });
    case 'f' * 16 + 4:
      return as(float{});
    case 'f' * 16 + 8:
      return as(double{});
    case 'i' * 16 + 1:
      return as(std::int8_t{});
    case 'i' * 16 + 2:
      return as(std::int16_t{});
    case 'i' * 16 + 4:
      return as(std::int32_t{});
    case 'i' * 16 + 8:
      return as(std::int64_t{});
    case 'b' * 16 + 1:
    case 'u' * 16 + 1:
      return as(std::uint8_t{});
    case 'u' * 16 + 2:
      return as(std::uint16_t{});
    case 'u' * 16 + 4:
      return as(std::uint32_t{});
    case 'u' * 16 + 8:
      return as(std::uint64_t{});
    default:
      fail(ErrorKind::kData, name(), ": expected numbers, found text");
  }
}

void NpyReader::read(std::span<Index> values) {
  const auto as = [&]<class T>(T) {
    read_as(values, [](const char* p) { return static_cast<Index>(load<T>(p)); });
  };
  switch (header_.kind * 16 + header_.width) {
    case 'i' * 16 + 1:
      return as(std::int8_t{});
    case 'i' * 16 + 2:
      return as(std::int16_t{});
    case 'i' * 16 + 4:
      return as(std::int32_t{});
    case 'i' * 16 + 8:
      return as(std::int64_t{});
    case 'b' * 16 + 1:
    case 'u' * 16 + 1:
      return as(std::uint8_t{});
    case 'u' * 16 + 2:
      return as(std::uint16_t{});
    case 'u' * 16 + 4:
      return as(std::uint32_t{});
    case 'u' * 16 + 8:
      return as(std::uint64_t{});
    default:
      fail(ErrorKind::kData, name(), ": expected whole numbers");
  }
}

std::string NpyReader::text() {
  if ((header_.kind != 'S' && header_.kind != 'U') || header_.count() != 1) {
    fail(ErrorKind::kData, name(), ": expected one text value");
  }
  const std::size_t letter = header_.kind == 'U' ? 4 : 1;
  std::string raw(static_cast<std::size_t>(header_.width) * letter, '\0');
  if (read_raw(raw) != raw.size()) fail(ErrorKind::kData, name(), ": too short");
  left_ = 0;
  expect_end();
  std::string out;
  for (std::size_t i = 0; i < raw.size() && raw[i] != '\0'; i += letter) out += raw[i];
  return out;
}

std::vector<std::string> NpyReader::texts() {
  if ((header_.kind != 'S' && header_.kind != 'U') || header_.shape.size() != 1) {
    fail(ErrorKind::kData, name(), ": expected a list of texts");
  }
  const std::size_t letter = header_.kind == 'U' ? 4 : 1;
  std::string raw(static_cast<std::size_t>(header_.width) * letter, '\0');
  std::vector<std::string> out;
  for (; left_ > 0; --left_) {
    if (read_raw(raw) != raw.size()) fail(ErrorKind::kData, name(), ": too short");
    std::string& text = out.emplace_back();
    for (std::size_t i = 0; i < raw.size(); i += letter) {
      const std::uint32_t code =
          letter == 4 ? load<std::uint32_t>(raw.data() + i) : static_cast<unsigned char>(raw[i]);
      if (code == 0) break;
      if (letter == 1)
        text += raw[i];
      else if (!append_utf8(text, code))
        fail(ErrorKind::kData, name(), ": text ", out.size() - 1, ": expected Unicode, found ",
             code);
    }
  }
  expect_end();
  return out;
}

void NpyReader::expect_end() {
  char extra;
  if (left_ != 0 || read_raw({&extra, 1}) != 0) {
    fail(ErrorKind::kData, name(), ": expected the end after ", header_.count(), " values");
  }
}

std::string npy_bytes(const Matrix& matrix) {
  std::string out = npy_preamble("<f4", {matrix.rows(), matrix.cols()});
  out.reserve(out.size() + static_cast<std::size_t>(matrix.rows() * matrix.cols()) * sizeof(float));
  for (Index i = 0; i < matrix.rows(); ++i) {
    out.append(reinterpret_cast<const char*>(matrix.row(i)),
               static_cast<std::size_t>(matrix.cols()) * sizeof(float));
  }
  return out;
}

std::string npy_half_bytes(const Matrix& matrix) {
  std::string out = npy_preamble("<f2", {matrix.rows(), matrix.cols()});
  for (Index i = 0; i < matrix.rows(); ++i)
    for (Index j = 0; j < matrix.cols(); ++j) {
      const std::uint16_t half = float_to_half(matrix(i, j));
      out += static_cast<char>(half & 255);
      out += static_cast<char>(half >> 8);
    }
  return out;
}

}  // namespace scrl
