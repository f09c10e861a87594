// io/source.h: a folder or a zip archive, seen alike: a list of files that can be opened.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "io/byte_stream.h"

namespace scrl {

struct SourceFile {
  std::string name;  // path relative to the source, '/' separated, e.g. "knn/c5.txt"
  Index size = 0;    // unpacked size in bytes as far as it is known
  // Changes when the file changes: a hash of its times and inode, or the CRC of a zip entry.
  std::uint64_t stamp = 0;
};

class Source {
 public:
  virtual ~Source() = default;
  virtual const std::string& path() const = 0;               // as the user wrote it
  virtual const std::vector<SourceFile>& files() const = 0;  // sorted by name, no directories
  // Gzip files are unpacked on the way. Throws Error(kData) when there is no such file.
  virtual std::unique_ptr<ByteStream> open(const std::string& name) const = 0;
  // Where the file lies on disk, for readers that need a path; empty inside an archive.
  virtual std::string file_path(const std::string& name) const = 0;

  bool has(const std::string& name) const;
};

// "x.graphml" or "x.graphml.gz".
bool is_graphml_name(std::string_view name);

// A folder, a zip archive (recognised by content; .npz is one), or a single .graphml file. When
// everything in it lies below one common folder ("acm/..."), that folder is stripped from the
// names. Hidden files and the "__MACOSX" folder of archives made on a Mac are left out, as is
// anything more than three folders down.
std::unique_ptr<Source> open_source(const std::string& path);

}  // namespace scrl
