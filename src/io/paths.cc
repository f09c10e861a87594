#include "io/paths.h"

#include <algorithm>
#include <filesystem>

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

std::vector<std::string> names_in(const std::string& folder) {
  std::vector<std::string> out;
  std::error_code error;
  for (fs::directory_iterator it(folder, error), end; !error && it != end; it.increment(error))
    out.push_back(it->path().filename().string());
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
