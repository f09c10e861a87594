// run/run_folder.h: the folder a training run leaves behind. docs/formats.md describes its files.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "io/folder_lock.h"

namespace scrl {

enum class IfExists { kRefuse, kOverwrite, kResume };

class RunDir {
 public:
  // Makes the folder and locks it, or fails now rather than after an hour of training. An existing
  // run is refused, cleared or kept as `mode` says; files of somebody else are never touched.
  // Temporary files of a killed process are removed.
  RunDir(std::string path, IfExists mode);

  const std::string& path() const { return path_; }
  std::string file(std::string_view name) const { return path_ + "/" + std::string(name); }
  bool has(std::string_view name) const;
  void write(std::string_view name, std::string_view content) const;  // atomically
  void remove(std::string_view name) const;

 private:
  std::string path_;
  std::optional<FolderLock> lock_;
};

// The model file of `path`, which may be a run folder or the file itself.
std::string model_path(const std::string& path);

// $PWD/runs/NAME-METHOD, or with -2, -3, ... the first that does not exist.
std::string fresh_run_path(const std::string& dataset, const std::string& method);

}  // namespace scrl
