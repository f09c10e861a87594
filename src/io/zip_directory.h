// io/zip_directory.h: the records of a zip archive that say which entries it has and where.
// Used by io/zip.cc only. Layout: APPNOTE.TXT of PKWARE, sections 4.3 and 4.5.3.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "io/zip.h"

namespace scrl {

class ZipBytes {
 public:
  virtual ~ZipBytes() = default;
  virtual Index size() const = 0;
  virtual void read(Index offset, std::span<char> out) const = 0;  // all of `out`, or an Error
};

// Files only, sorted by name. Throws Error(kData) starting with `path` when records contradict each
// other or the size of the file.
std::vector<ZipEntry> read_zip_directory(const std::string& path, const ZipBytes& file);

// Where the packed bytes of an entry begin; they are known to end inside the file. `name` starts
// the messages, also those that refuse encryption and unknown methods.
Index locate_zip_data(const std::string& name, const ZipBytes& file, const ZipEntry& entry);

}  // namespace scrl
