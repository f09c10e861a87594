#include "io/pending_folder.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <filesystem>

#include "base/error.h"
#include "io/atomic_file.h"
#include "io/paths.h"

namespace scrl {
namespace {

namespace fs = std::filesystem;

void remove_all(const std::string& path) {
  std::error_code ignored;
  fs::remove_all(path, ignored);
}

// Folders of processes that were killed: TARGET.tmp-N where no process N runs, or this one does.
void remove_left_behind(const std::string& target) {
  const fs::path place(target);
  const std::string parent = place.has_parent_path() ? place.parent_path().string() : ".";
  const std::string stem = place.filename().string() + ".tmp-";
  for (const std::string& name : names_in(parent)) {
    if (!name.starts_with(stem)) continue;
    pid_t process = 0;
    const char* const end = name.data() + name.size();
    const auto [rest, error] = std::from_chars(name.data() + stem.size(), end, process);
    if (error != std::errc() || rest != end || process <= 0) continue;
    if (process == ::getpid() || (::kill(process, 0) != 0 && errno == ESRCH))
      remove_all(parent + "/" + name);
  }
}

}  // namespace

PendingFolder::PendingFolder(const std::string& target)
    : target_(target), path_(cat(target, ".tmp-", ::getpid())) {
  remove_left_behind(target_);
  make_directories(path_);
}

PendingFolder::~PendingFolder() { remove_all(path_); }

void PendingFolder::become_target() {
  if (::rename(path_.c_str(), target_.c_str()) == 0) return sync_parent(target_);
  if (errno != ENOTEMPTY && errno != EEXIST) fail_write(target_, errno);
  // In one step, where the file system can: the old folder is then the one that is removed.
  if (::renameat2(AT_FDCWD, path_.c_str(), AT_FDCWD, target_.c_str(), RENAME_EXCHANGE) != 0) {
    const std::string old = cat(target_, ".old-", ::getpid());
    if (::rename(target_.c_str(), old.c_str()) != 0) fail_write(target_, errno);
    if (::rename(path_.c_str(), target_.c_str()) != 0) {
      const int reason = errno;
      ::rename(old.c_str(), target_.c_str());
      fail_write(target_, reason);
    }
    remove_all(old);
  }
  sync_parent(target_);
}

void PendingFolder::become_target(const std::string& name) {
  if (::rename(file(name).c_str(), target_.c_str()) != 0) fail_write(target_, errno);
  sync_parent(target_);
}

}  // namespace scrl
