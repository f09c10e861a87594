// io/archive_writer.h: writes zip archives of deflated entries, the same bytes for the same
// content: the times in them are those of 1980. Leaves out what needs zip64: more than 4 GB or
// 65,535 entries is refused.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "io/atomic_file.h"

namespace scrl {

class ArchiveWriter {
 public:
  explicit ArchiveWriter(const std::string& path) : path_(path), file_(path) {}

  void add(std::string_view name, std::string_view content);
  // Writes the directory; the file is there from then on.
  void finish();

 private:
  void write(std::string_view bytes);

  std::string path_;
  AtomicFile file_;
  std::uint64_t at_ = 0;
  std::uint32_t entries_ = 0;
  std::string directory_;
};

}  // namespace scrl
