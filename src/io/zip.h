// io/zip.h: reads zip archives: stored and deflated entries, zip64 sizes.
//
// Leaves out: encryption, archives in several parts, other compression methods; these are refused
// by name. Nothing is ever unpacked to disk, so entry names can do no harm beyond messages.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "io/byte_stream.h"

namespace scrl {

struct ZipEntry {
  std::string name;  // '/' separated, relative, without "." and ".." parts
  Index size = 0;    // unpacked
  Index packed_size = 0;
  std::uint32_t crc = 0;
  std::uint16_t method = 0;  // 0 stored, 8 deflated
  std::uint16_t flags = 0;
  Index header_offset = 0;  // of the local header, counted from the start of the file
};

class ZipArchive {
 public:
  // Reads the directory at the end of the file. Throws Error(kData) when it is damaged.
  explicit ZipArchive(const std::string& path);
  ~ZipArchive();
  ZipArchive(const ZipArchive&) = delete;
  ZipArchive& operator=(const ZipArchive&) = delete;

  const std::string& path() const { return path_; }
  const std::vector<ZipEntry>& entries() const { return entries_; }  // sorted by name, files only
  const ZipEntry* find(const std::string& name) const;               // nullptr: no such entry

  // Unpacks while it is read; size and CRC are checked at its end, so a stream read to the end
  // without an Error is intact. The stream stays valid after the archive is gone, and several may
  // be open at a time.
  std::unique_ptr<ByteStream> open(const ZipEntry& entry) const;
  std::unique_ptr<ByteStream> open(const std::string& name) const;

 private:
  class File;
  std::string path_;
  std::vector<ZipEntry> entries_;
  std::shared_ptr<const File> file_;
};

// True when the file starts with the signature of a zip archive.
bool is_zip(const std::string& path);

}  // namespace scrl
