#include "io/paths.h"

#include <dirent.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>

#include "base/error.h"

namespace scrl {
namespace fs = std::filesystem;

bool exists(const std::string& path) {
  std::error_code unknown;
  return fs::exists(path, unknown);
}

bool is_folder(const std::string& path) {
  std::error_code unknown;
  return fs::is_directory(path, unknown);
}

bool is_file(const std::string& path) {
  std::error_code unknown;
  return fs::is_regular_file(path, unknown);
}

std::error_code visit_names(const std::string& folder,
                            FunctionRef<void(const std::string&)> visit) {
  const auto close = [](DIR* stream) { ::closedir(stream); };
  const std::unique_ptr<DIR, decltype(close)> stream(::opendir(folder.c_str()), close);
  if (!stream) return {errno, std::generic_category()};
  for (;;) {
    errno = 0;
    const dirent* const entry = ::readdir(stream.get());
    if (!entry) return {errno, std::generic_category()};
    const std::string name = entry->d_name;
    if (name != "." && name != "..") visit(name);
  }
}

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> out;
  visit_names(folder, [&](const std::string& name) { out.push_back(name); });
  std::sort(out.begin(), out.end());
  return out;
}

std::string absolute_path(const std::string& path) {
  std::error_code unknown;
  const fs::path whole = fs::absolute(path, unknown);
  return (unknown ? fs::path(path) : whole).lexically_normal().string();
}

std::string behind_link(const std::string& path) {
  std::error_code unknown;
  if (!fs::is_symlink(path, unknown)) return path;
  const fs::path target = fs::canonical(path, unknown);
  return unknown ? path : target.string();
}

void remove_file(const std::string& path) {
  std::error_code error;
  fs::remove(path, error);
  if (error) fail(ErrorKind::kRun, path, ": cannot remove: ", error.message());
}

}  // namespace scrl
