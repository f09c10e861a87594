#include "io/container.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/error.h"
#include "base/hash.h"
#include "io/atomic_file.h"
#include "io/regular_file.h"

namespace scrl {
namespace {

static_assert(std::endian::native == std::endian::little, "containers are little endian");

constexpr std::string_view kMagic = "SCRLFILE";
constexpr std::uint32_t kLayout = 1;
constexpr std::size_t kAlignment = 64, kFixedHeader = 48, kChecksumAt = 32;
constexpr std::size_t kMaxHeader = std::size_t{16} << 20;  // a section takes some 40 bytes of it

std::size_t aligned(std::size_t offset) {
  return (offset + kAlignment - 1) / kAlignment * kAlignment;
}

std::uint64_t checksum(std::span<const std::byte> bytes) {
  return scrl::checksum(bytes.data(), bytes.size());
}

// The header with its checksum field read as zero.
std::uint64_t header_checksum(std::span<const std::byte> header) {
  std::string copy(reinterpret_cast<const char*>(header.data()), header.size());
  copy.replace(kChecksumAt, sizeof(std::uint64_t), sizeof(std::uint64_t), '\0');
  return scrl::checksum(copy.data(), copy.size());
}

template <class T>
void put(std::string& out, T value) {
  out.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class... Parts>
[[noreturn]] void refuse(const Parts&... parts) {
  fail(ErrorKind::kModelFile, parts...);
}

// Reads fields one after the other and never past the end.
class Cursor {
 public:
  Cursor(std::span<const std::byte> bytes, std::size_t at, const std::string& name)
      : bytes_(bytes), at_(at), name_(name) {}

  template <class T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof value).data(), sizeof value);
    return value;
  }
  std::string text() {
    const auto raw = take(number<std::uint32_t>());
    return {reinterpret_cast<const char*>(raw.data()), raw.size()};
  }
  std::size_t at() const { return at_; }

 private:
  std::span<const std::byte> take(std::size_t size) {
    if (size > bytes_.size() - at_) refuse(name_, ": damaged header: a field exceeds it");
    at_ += size;
    return bytes_.subspan(at_ - size, size);
  }

  std::span<const std::byte> bytes_;
  std::size_t at_;
  const std::string& name_;
};

}  // namespace

ContainerWriter::ContainerWriter(std::string kind, std::uint32_t version)
    : kind_(std::move(kind)), version_(version) {}

void ContainerWriter::add(const std::string& name, std::span<const std::byte> bytes) {
  const bool taken = std::any_of(sections_.begin(), sections_.end(),
                                 [&](const auto& section) { return section.first == name; });
  check(!taken, "container: section ", name, " added twice");
  sections_.emplace_back(name, std::vector<std::byte>(bytes.begin(), bytes.end()));
}

void ContainerWriter::add_text(const std::string& name, std::string_view text) {
  add(name, std::as_bytes(std::span(text.data(), text.size())));
}

std::string ContainerWriter::header() const {
  std::size_t header = kFixedHeader + kind_.size();
  for (const auto& [name, bytes] : sections_) header += 4 + name.size() + 3 * 8;
  std::size_t end = header;
  for (const auto& [name, bytes] : sections_) end = aligned(end) + bytes.size();

  std::string out;
  out += kMagic;
  put(out, kLayout);
  put(out, version_);
  put(out, std::uint64_t{header});
  put(out, std::uint64_t{end});
  put(out, std::uint64_t{0});
  put(out, static_cast<std::uint32_t>(sections_.size()));
  put(out, static_cast<std::uint32_t>(kind_.size()));
  out += kind_;
  std::size_t at = header;
  for (const auto& [name, bytes] : sections_) {
    at = aligned(at);
    put(out, static_cast<std::uint32_t>(name.size()));
    out += name;
    put(out, std::uint64_t{at});
    put(out, std::uint64_t{bytes.size()});
    put(out, checksum(bytes));
    at += bytes.size();
  }
  const std::uint64_t sum = header_checksum(std::as_bytes(std::span(out.data(), out.size())));
  std::memcpy(out.data() + kChecksumAt, &sum, sizeof sum);
  return out;
}

// The header, then every section after as many zeros as its alignment takes.
std::vector<std::string_view> ContainerWriter::pieces(const std::string& header) const {
  static constexpr char kZeros[kAlignment] = {};
  std::vector<std::string_view> out = {header};
  std::size_t at = header.size();
  for (const auto& [name, bytes] : sections_) {
    out.emplace_back(kZeros, aligned(at) - at);
    out.emplace_back(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    at = aligned(at) + bytes.size();
  }
  return out;
}

std::string ContainerWriter::finish() const {
  std::string out;
  const std::string start = header();
  for (const std::string_view piece : pieces(start)) out += piece;
  return out;
}

void ContainerWriter::write(const std::string& path) const {
  const std::string start = header();
  write_atomically(path, pieces(start));
}

// A header of a wrong file is found out before the rest of the file is read.
ContainerReader::ContainerReader(const std::string& path, std::string_view kind,
                                 std::uint32_t max_version)
    : name_(path) {
  RegularFile file(path, ErrorKind::kModelFile);
  const auto fill = [&](std::size_t size) {
    std::size_t have = buffer_.size();
    buffer_.resize(size);
    while (have < size) {
      const auto rest = std::span(buffer_).subspan(have);
      const std::size_t got =
          file.read(std::span(reinterpret_cast<char*>(rest.data()), rest.size()));
      if (got == 0) break;  // shrunk meanwhile
      have += got;
    }
    buffer_.resize(have);
  };
  const auto size = static_cast<std::size_t>(file.size());
  fill(std::min(size, kFixedHeader));
  fill(header_size(size));
  check_header(size);
  fill(size);
  parse(kind, max_version);
}

ContainerReader::ContainerReader(std::string name, std::span<const std::byte> bytes,
                                 std::string_view kind, std::uint32_t max_version)
    : name_(std::move(name)), buffer_(bytes.begin(), bytes.end()) {
  check_header(buffer_.size());
  parse(kind, max_version);
}

// Of a file of `size` bytes, from its first kFixedHeader bytes.
std::size_t ContainerReader::header_size(std::size_t size) const {
  const std::span<const std::byte> start(buffer_);
  const std::string_view magic(reinterpret_cast<const char*>(start.data()),
                               std::min(start.size(), kMagic.size()));
  if (magic != kMagic.substr(0, magic.size()) || magic.empty())
    refuse(name_, ": is not a scrl file");
  if (start.size() < kFixedHeader)
    refuse(name_, ": too short: expected at least ", kFixedHeader, " bytes, found ", start.size());
  Cursor fixed(start.first(kFixedHeader), kMagic.size(), name_);
  const auto layout = fixed.number<std::uint32_t>();
  if (layout != kLayout) {
    refuse(name_, ": file layout ", layout, " is unknown, this program reads ", kLayout,
           "; use the program that wrote the file or a newer one");
  }
  fixed.number<std::uint32_t>();  // the version
  const auto header_size = fixed.number<std::uint64_t>();
  if (header_size < kFixedHeader || header_size > size) {
    refuse(name_, ": too short: expected a header of ", header_size, " bytes, found ", size,
           " bytes in all");
  }
  if (header_size > kMaxHeader)
    refuse(name_, ": damaged header: ", header_size, " bytes long, expected at most ", kMaxHeader);
  return header_size;
}

// The buffer has the header.
void ContainerReader::check_header(std::size_t size) const {
  const std::span<const std::byte> all(buffer_);
  const std::size_t length = header_size(size);
  if (length > all.size()) refuse(name_, ": too short: it shrank while it was read");
  Cursor fixed(all.first(kFixedHeader), kMagic.size() + 2 * 4 + 8, name_);
  const auto file_size = fixed.number<std::uint64_t>();
  const auto header_sum = fixed.number<std::uint64_t>();
  if (header_checksum(all.first(length)) != header_sum)
    refuse(name_, ": damaged header: checksum does not match");
  if (file_size != size)
    refuse(name_, ": ", size < file_size ? "too short" : "too long", ": expected ", file_size,
           " bytes, found ", size);
}

void ContainerReader::parse(std::string_view kind, std::uint32_t max_version) {
  const std::span<const std::byte> all(buffer_);
  Cursor fixed(all.first(kFixedHeader), kMagic.size() + 4, name_);
  version_ = fixed.number<std::uint32_t>();
  const auto header_size = fixed.number<std::uint64_t>();
  const auto file_size = fixed.number<std::uint64_t>();
  fixed.number<std::uint64_t>();  // the checksum
  if (file_size != all.size()) refuse(name_, ": too short: it shrank while it was read");
  const auto header = all.first(header_size);
  const auto count = fixed.number<std::uint32_t>();
  Cursor table(header, fixed.at(), name_);
  const std::string found_kind = table.text();
  if (found_kind != kind) refuse(name_, ": is a ", found_kind, ", expected a ", kind);
  if (version_ > max_version) {
    refuse(name_, ": ", kind, " format ", version_, " is newer than ", max_version,
           ", the newest this program reads; use a newer scrl");
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::string section = table.text();
    const auto offset = table.number<std::uint64_t>();
    const auto size = table.number<std::uint64_t>();
    const auto sum = table.number<std::uint64_t>();
    if (offset % kAlignment != 0 || offset < header_size || offset > all.size() ||
        size > all.size() - offset) {
      refuse(name_, ": damaged section ", section, ": lies outside the file");
    }
    const auto content = all.subspan(offset, size);
    if (checksum(content) != sum)
      refuse(name_, ": damaged section ", section, ": checksum does not match");
    if (!sections_.emplace(section, content).second) {
      refuse(name_, ": damaged header: section ", section, " appears twice");
    }
  }
  check_padding(static_cast<Index>(header_size));
}

// What no checksum covers must be zero, so that no byte of the file can change unnoticed.
void ContainerReader::check_padding(Index header_size) const {
  std::vector<std::pair<const std::byte*, const std::byte*>> used = {
      {buffer_.data(), buffer_.data() + header_size}};
  for (const auto& [name, content] : sections_) {
    used.emplace_back(content.data(), content.data() + content.size());
  }
  std::sort(used.begin(), used.end());
  used.emplace_back(buffer_.data() + buffer_.size(), nullptr);
  for (std::size_t i = 0; i + 1 < used.size(); ++i) {
    const auto *gap = used[i].second, *next = used[i + 1].first;
    if (gap < next && std::any_of(gap, next, [](std::byte b) { return b != std::byte{0}; })) {
      refuse(name_, ": damaged: expected zeros at byte ", gap - buffer_.data());
    }
  }
}

std::span<const std::byte> ContainerReader::bytes(const std::string& section) const {
  const auto found = sections_.find(section);
  if (found == sections_.end()) refuse(name_, ": section ", section, " is missing");
  return found->second;
}

std::string_view ContainerReader::file() const {
  return {reinterpret_cast<const char*>(buffer_.data()), buffer_.size()};
}

std::string_view ContainerReader::text(const std::string& section) const {
  const auto raw = bytes(section);
  return {reinterpret_cast<const char*>(raw.data()), raw.size()};
}

std::span<const std::byte> ContainerReader::array_bytes(const std::string& section,
                                                        std::size_t element) const {
  const auto raw = bytes(section);
  if (raw.size() % element != 0) {
    refuse(name_, ": section ", section, ": expected a multiple of ", element, " bytes, found ",
           raw.size());
  }
  return raw;
}

}  // namespace scrl
