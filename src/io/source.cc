#include "io/source.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/error.h"
#include "base/hash.h"
#include "io/inflate.h"
#include "io/paths.h"
#include "io/zip.h"

namespace scrl {
namespace {

constexpr int kMaxDepth = 3;
constexpr std::size_t kMaxFiles = 100'000;  // someone's whole disk, not a data set

bool is_hidden(std::string_view name) {
  return name.starts_with('.') || name.find("/.") != name.npos || name.starts_with("__MACOSX/") ||
         name.find("/__MACOSX/") != name.npos;
}

// "acm/" when all names start with it; the last path part is never taken.
std::string common_folder(const std::vector<SourceFile>& files) {
  if (files.empty()) return {};
  std::string_view common = files.front().name;
  for (const SourceFile& f : files) {
    const auto end = std::ranges::mismatch(common, f.name).in1;
    common = common.substr(0, static_cast<std::size_t>(end - common.begin()));
  }
  return std::string(common.substr(0, common.rfind('/') + 1));  // npos + 1 is 0
}

// Shared by both kinds: `files_` with the common folder stripped, which `prefix_` remembers.
class ListedSource : public Source {
 public:
  const std::string& path() const override { return path_; }
  const std::vector<SourceFile>& files() const override { return files_; }

 protected:
  ListedSource(std::string path, std::vector<SourceFile> files)
      : path_(std::move(path)), files_(std::move(files)) {
    std::erase_if(files_, [](const SourceFile& f) { return is_hidden(f.name); });
    prefix_ = common_folder(files_);
    for (SourceFile& f : files_) f.name.erase(0, prefix_.size());
    std::sort(files_.begin(), files_.end(),
              [](const SourceFile& a, const SourceFile& b) { return a.name < b.name; });
  }

  std::string full_name(const std::string& name) const {
    if (!has(name)) fail(ErrorKind::kData, path_, ": no file named ", name);
    return prefix_ + name;
  }

 private:
  std::string path_, prefix_;
  std::vector<SourceFile> files_;
};

// A file may be replaced within the size and time it had: cp -p, or a tool that restores times.
std::uint64_t stamp_of(const struct stat& info) {
  const auto ns = [](const timespec& t) {
    return std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec;
  };
  const std::int64_t parts[] = {ns(info.st_mtim), ns(info.st_ctim),
                                static_cast<std::int64_t>(info.st_ino)};
  return checksum(parts, sizeof parts);
}

// Files below `path`/`prefix`; links to folders and what may not be read are left out.
void list_folder(const std::string& path, const std::string& prefix, int depth,
                 std::vector<SourceFile>& files) {
  const std::error_code error = visit_names(path + "/" + prefix, [&](const std::string& name) {
    const std::string whole = path + "/" + prefix + name;
    struct stat info = {};
    if (::lstat(whole.c_str(), &info) != 0) return;
    if (S_ISDIR(info.st_mode) && depth < kMaxDepth && !name.starts_with('.'))
      list_folder(path, prefix + name + "/", depth + 1, files);
    if (::stat(whole.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return;
    files.push_back({prefix + name, info.st_size, stamp_of(info)});
    if (files.size() > kMaxFiles)
      fail(ErrorKind::kData, path, ": expected the folder of one data set, found more than ",
           kMaxFiles, " files");
  });
  if (error && error != std::errc::permission_denied)
    fail(ErrorKind::kData, path, ": cannot list: ", error.message());
}

std::vector<SourceFile> list_folder(const std::string& path) {
  std::vector<SourceFile> files;
  list_folder(path, "", 0, files);
  return files;
}

class FolderSource final : public ListedSource {
 public:
  explicit FolderSource(const std::string& path) : ListedSource(path, list_folder(path)) {}

  std::string file_path(const std::string& name) const override {
    return path().ends_with('/') ? path() + full_name(name) : cat(path(), "/", full_name(name));
  }
  std::unique_ptr<ByteStream> open(const std::string& name) const override {
    return open_file(file_path(name));
  }
};

std::vector<SourceFile> list_archive(const ZipArchive& archive) {
  std::vector<SourceFile> files;
  for (const ZipEntry& e : archive.entries()) files.push_back({e.name, e.size, e.crc});
  return files;
}

class ZipSource final : public ListedSource {
 public:
  explicit ZipSource(std::unique_ptr<ZipArchive> archive)
      : ListedSource(archive->path(), list_archive(*archive)), archive_(std::move(archive)) {}

  std::string file_path(const std::string&) const override { return {}; }
  std::unique_ptr<ByteStream> open(const std::string& name) const override {
    return unpack_if_gzip(archive_->open(full_name(name)));
  }

 private:
  std::unique_ptr<ZipArchive> archive_;
};

// One file that is a data set by itself.
class FileSource final : public Source {
 public:
  FileSource(const std::string& path, const struct stat& info)
      : path_(path),
        files_{{std::filesystem::path(path).filename().string(), info.st_size, stamp_of(info)}} {}

  const std::string& path() const override { return path_; }
  const std::vector<SourceFile>& files() const override { return files_; }
  std::unique_ptr<ByteStream> open(const std::string&) const override { return open_file(path_); }
  std::string file_path(const std::string&) const override { return path_; }

 private:
  std::string path_;
  std::vector<SourceFile> files_;
};

}  // namespace

bool is_graphml_name(std::string_view name) {
  if (name.ends_with(".gz")) name.remove_suffix(3);
  return name.ends_with(".graphml");
}

bool Source::has(const std::string& name) const {
  return std::binary_search(
      files().begin(), files().end(), SourceFile{name},
      [](const SourceFile& a, const SourceFile& b) { return a.name < b.name; });
}

std::unique_ptr<Source> open_source(const std::string& path) {
  struct stat info = {};
  if (::stat(path.c_str(), &info) != 0) {
    fail(ErrorKind::kData, path, ": cannot open: ", std::strerror(errno));
  }
  if (S_ISDIR(info.st_mode)) return std::make_unique<FolderSource>(path);
  if (is_graphml_name(path) && S_ISREG(info.st_mode))
    return std::make_unique<FileSource>(path, info);
  if (!is_zip(path))
    fail(ErrorKind::kData, path,
         ": expected a folder, a zip archive, an .npz archive or a .graphml file");
  return std::make_unique<ZipSource>(std::make_unique<ZipArchive>(path));
}

}  // namespace scrl
