#include "io/zip_directory.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <optional>

#include "base/error.h"

namespace scrl {
namespace {

constexpr std::uint32_t kLocalHeader = 0x04034b50, kDirectoryHeader = 0x02014b50;
constexpr std::uint32_t kEndRecord = 0x06054b50, kEnd64Record = 0x06064b50,
                        kEnd64Locator = 0x07064b50;
constexpr Index kLocalHeaderSize = 30, kDirectoryHeaderSize = 46, kEndSize = 22, kEnd64Size = 56,
                kLocatorSize = 20;
constexpr std::uint16_t kZip64Extra = 1;
constexpr Index kMaxDirectory = Index{256} << 20;

// Little-endian fields of a record. REQUIRES: the field lies inside the record.
template <class T>
T field(std::string_view record, std::size_t offset) {
  static_assert(std::endian::native == std::endian::little);
  T value;
  std::memcpy(&value, record.data() + offset, sizeof value);
  return value;
}

class DirectoryReader {
 public:
  DirectoryReader(const std::string& path, const ZipBytes& file) : path_(path), file_(file) {}

  std::vector<ZipEntry> read() {
    find_extent();
    read_entries();
    check_layout();
    std::erase_if(entries_, [](const ZipEntry& e) { return e.name.ends_with('/'); });
    std::sort(entries_.begin(), entries_.end(),
              [](const ZipEntry& a, const ZipEntry& b) { return a.name < b.name; });
    for (std::size_t i = 1; i < entries_.size(); ++i) {
      if (entries_[i].name == entries_[i - 1].name) {
        damaged("two entries are named ", entries_[i].name);
      }
    }
    return std::move(entries_);
  }

 private:
  template <class... Parts>
  [[noreturn]] void damaged(const Parts&... parts) const {
    fail(ErrorKind::kData, path_, ": damaged zip archive: ", parts...);
  }

  std::string bytes(Index offset, Index size) const {
    std::string out(static_cast<std::size_t>(size), '\0');
    file_.read(offset, out);
    return out;
  }

  // The end record is the last thing in the file but for a comment of up to 64 KB.
  void find_extent() {
    const Index tail_size = std::min(file_.size(), kEndSize + 0xffff);
    const Index tail_begin = file_.size() - tail_size;
    const std::string tail = bytes(tail_begin, tail_size);
    Index at = tail_size - kEndSize;
    for (; at >= 0; --at) {
      if (field<std::uint32_t>(tail, at) == kEndRecord &&
          at + kEndSize + field<std::uint16_t>(tail, at + 20) == tail_size) {
        break;
      }
    }
    if (at < 0) damaged("no directory at its end (truncated download?)");
    const std::string_view end = std::string_view(tail).substr(static_cast<std::size_t>(at));
    if (field<std::uint16_t>(end, 4) != field<std::uint16_t>(end, 6)) several_parts();
    count_ = field<std::uint16_t>(end, 10);
    size_ = field<std::uint32_t>(end, 12);
    begin_ = field<std::uint32_t>(end, 16);
    limit_ = tail_begin + at;
    if (count_ == 0xffff || size_ == 0xffffffff || begin_ == 0xffffffff) read_end64();
    if (begin_ < 0 || size_ < 0 || begin_ > limit_ || size_ > limit_ - begin_) {
      damaged("the directory does not lie inside the file");
    }
    if (size_ > kMaxDirectory) damaged("a directory of ", size_, " bytes");
  }

  void read_end64() {
    if (limit_ < kLocatorSize) return;
    const std::string locator = bytes(limit_ - kLocatorSize, kLocatorSize);
    if (field<std::uint32_t>(locator, 0) != kEnd64Locator) return;  // really 65535 entries
    if (field<std::uint32_t>(locator, 16) > 1) several_parts();
    const auto at = static_cast<Index>(field<std::uint64_t>(locator, 8));
    if (at < 0 || at > limit_ - kLocatorSize - kEnd64Size) {
      damaged("the zip64 end record does not lie inside the file");
    }
    const std::string end = bytes(at, kEnd64Size);
    if (field<std::uint32_t>(end, 0) != kEnd64Record) damaged("no zip64 end record at byte ", at);
    count_ = static_cast<Index>(field<std::uint64_t>(end, 32));
    size_ = static_cast<Index>(field<std::uint64_t>(end, 40));
    begin_ = static_cast<Index>(field<std::uint64_t>(end, 48));
    limit_ = at;
  }

  [[noreturn]] void several_parts() const {
    fail(ErrorKind::kData, path_, ": zip archives in several parts are not supported");
  }

  void read_entries() {
    const std::string directory = bytes(begin_, size_);
    std::string_view rest = directory;
    while (static_cast<Index>(rest.size()) >= kDirectoryHeaderSize &&
           field<std::uint32_t>(rest, 0) == kDirectoryHeader) {
      const std::size_t name_size = field<std::uint16_t>(rest, 28);
      const std::size_t extra_size = field<std::uint16_t>(rest, 30);
      const std::size_t whole =
          kDirectoryHeaderSize + name_size + extra_size + field<std::uint16_t>(rest, 32);
      if (whole > rest.size()) damaged("directory entry ", entries_.size(), " is cut off");
      ZipEntry entry;
      entry.name = clean_name(rest.substr(kDirectoryHeaderSize, name_size));
      entry.flags = field<std::uint16_t>(rest, 8);
      entry.method = field<std::uint16_t>(rest, 10);
      entry.crc = field<std::uint32_t>(rest, 16);
      entry.packed_size = field<std::uint32_t>(rest, 20);
      entry.size = field<std::uint32_t>(rest, 24);
      entry.header_offset = field<std::uint32_t>(rest, 42);
      read_zip64_extra(rest.substr(kDirectoryHeaderSize + name_size, extra_size), entry);
      entries_.push_back(std::move(entry));
      rest.remove_prefix(whole);
    }
    if (static_cast<Index>(entries_.size()) != count_) {
      damaged("expected ", count_, " directory entries, found ", entries_.size());
    }
  }

  // Every value that did not fit into 32 bits follows in 64, in this order.
  void read_zip64_extra(std::string_view extra, ZipEntry& entry) const {
    while (extra.size() >= 4) {
      const std::size_t length = field<std::uint16_t>(extra, 2);
      if (length > extra.size() - 4) return;
      if (field<std::uint16_t>(extra, 0) == kZip64Extra) {
        std::string_view values = extra.substr(4, length);
        for (Index* value : {&entry.size, &entry.packed_size, &entry.header_offset}) {
          if (*value != 0xffffffff) continue;
          if (values.size() < 8) damaged(entry.name, ": the zip64 sizes are cut off");
          *value = static_cast<Index>(field<std::uint64_t>(values, 0));
          values.remove_prefix(8);
        }
        return;
      }
      extra.remove_prefix(4 + length);
    }
  }

  // Entries must lie before the directory and apart from each other: archives that make many names
  // share the same packed bytes exist only to fill memory.
  void check_layout() const {
    std::vector<const ZipEntry*> by_offset;
    for (const ZipEntry& entry : entries_) by_offset.push_back(&entry);
    std::sort(by_offset.begin(), by_offset.end(), [](const ZipEntry* a, const ZipEntry* b) {
      return a->header_offset < b->header_offset;
    });
    Index free_from = 0;
    for (const ZipEntry* entry : by_offset) {
      const Index begin = entry->header_offset;
      if (entry->size < 0 || entry->packed_size < 0 || begin < 0 ||
          begin > begin_ - kLocalHeaderSize ||
          entry->packed_size > begin_ - kLocalHeaderSize - begin) {
        damaged(entry->name, " does not lie inside the file");
      }
      if (begin < free_from) damaged(entry->name, " overlaps another entry");
      free_from = begin + kLocalHeaderSize + entry->packed_size;
    }
  }

  // Drops what could point outside ("/", "..", ".") or disturb a terminal.
  std::string clean_name(std::string_view raw) const {
    std::string name;
    const bool is_folder = raw.ends_with('/') || raw.ends_with('\\');
    while (!raw.empty()) {
      const std::size_t length = std::min(raw.find_first_of("/\\"), raw.size());
      const std::string_view part = raw.substr(0, length);
      const bool folder = length < raw.size();
      raw.remove_prefix(length + (folder ? 1 : 0));
      if (part.empty() || part == "." || part == "..") continue;
      for (const char c : part) name += static_cast<unsigned char>(c) < 32 || c == 127 ? '?' : c;
      if (folder) name += '/';
    }
    if (name.empty() && !is_folder) damaged("an entry has no name");
    return name.empty() ? "/" : name;
  }

  const std::string& path_;
  const ZipBytes& file_;
  Index count_ = 0, begin_ = 0, size_ = 0;  // of the directory
  Index limit_ = 0;                         // where the end records begin
  std::vector<ZipEntry> entries_;
};

}  // namespace

std::vector<ZipEntry> read_zip_directory(const std::string& path, const ZipBytes& file) {
  if (file.size() < kEndSize) {
    fail(ErrorKind::kData, path, ": damaged zip archive: only ", file.size(), " bytes long");
  }
  return DirectoryReader(path, file).read();
}

Index locate_zip_data(const std::string& name, const ZipBytes& file, const ZipEntry& entry) {
  if ((entry.flags & (1 | 1 << 6 | 1 << 13)) != 0) {
    fail(ErrorKind::kData, name, ": encrypted; write the archive without a password");
  }
  if (entry.method != 0 && entry.method != 8) {
    fail(ErrorKind::kData, name, ": compression method ", entry.method,
         " is not supported; write the archive with deflate (8) or stored (0) entries");
  }
  if (entry.method == 0 && entry.size != entry.packed_size) {
    fail(ErrorKind::kData, name, ": damaged: a stored entry of ", entry.packed_size,
         " bytes claims to hold ", entry.size);
  }
  std::string header(kLocalHeaderSize, '\0');
  file.read(entry.header_offset, header);
  if (field<std::uint32_t>(header, 0) != kLocalHeader ||
      field<std::uint16_t>(header, 8) != entry.method) {
    fail(ErrorKind::kData, name, ": damaged: no matching entry at byte ", entry.header_offset);
  }
  const Index begin = entry.header_offset + kLocalHeaderSize + field<std::uint16_t>(header, 26) +
                      field<std::uint16_t>(header, 28);
  if (begin > file.size() || entry.packed_size > file.size() - begin) {
    fail(ErrorKind::kData, name, ": damaged: reaches beyond the end of the file");
  }
  return begin;
}

}  // namespace scrl
