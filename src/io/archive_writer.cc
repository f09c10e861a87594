#include "io/archive_writer.h"

#include <zlib.h>

#include <limits>

#include "base/error.h"
#include "io/deflate.h"

namespace scrl {
namespace {

constexpr std::uint64_t kLargest = std::numeric_limits<std::uint32_t>::max() - 1;
constexpr std::uint32_t kMostEntries = std::numeric_limits<std::uint16_t>::max() - 1;
constexpr std::uint32_t kLocalHeader = 0x04034b50, kDirectoryHeader = 0x02014b50,
                        kEndRecord = 0x06054b50;
constexpr std::uint32_t kFirstOfJanuary1980 = 0x00210000;

void put16(std::string& out, std::uint64_t value) {
  for (int shift = 0; shift < 16; shift += 8) out += static_cast<char>(value >> shift & 255);
}

void put32(std::string& out, std::uint64_t value) {
  put16(out, value & 0xffff);
  put16(out, value >> 16);
}

}  // namespace

void ArchiveWriter::write(std::string_view bytes) {
  file_.write(bytes);
  at_ += bytes.size();
}

void ArchiveWriter::add(std::string_view name, std::string_view content) {
  const std::string packed = raw_deflated(content);
  if (content.size() > kLargest || at_ + packed.size() > kLargest || entries_ == kMostEntries)
    fail(ErrorKind::kResource, path_, ": ", name,
         ": expected at most 4 GB in a zip archive, found ", content.size(), " bytes and ",
         at_ + packed.size(), " packed");
  std::string common;      // of the local header and the directory
  put16(common, 20);       // needs version 2.0: deflate
  put16(common, 1 << 11);  // names are UTF-8
  put16(common, 8);
  put32(common, kFirstOfJanuary1980);
  put32(common, crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()));
  put32(common, packed.size());
  put32(common, content.size());
  put16(common, name.size());
  put16(common, 0);

  put32(directory_, kDirectoryHeader);
  put16(directory_, 20);
  directory_ += common;
  put16(directory_, 0);  // comment, disk, attributes
  put16(directory_, 0);
  put16(directory_, 0);
  put32(directory_, 0);
  put32(directory_, at_);
  directory_ += name;

  std::string header;
  put32(header, kLocalHeader);
  write(header + common);
  write(name);
  write(packed);
  ++entries_;
}

void ArchiveWriter::finish() {
  std::string end;
  put32(end, kEndRecord);
  put32(end, 0);  // disks
  put16(end, entries_);
  put16(end, entries_);
  put32(end, directory_.size());
  put32(end, at_);
  put16(end, 0);  // comment
  write(directory_);
  write(end);
  file_.become_target();
}

}  // namespace scrl
