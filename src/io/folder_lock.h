// io/folder_lock.h: one writer per folder, told at once who it is.
//
// A lock of the operating system on a file of the folder: it is gone with the process, however that
// ends, and NFS servers keep it for all their machines. The file names the holder. On a file system
// without locks the holder named there decides: a process of this machine that no longer runs holds
// nothing, one of another machine cannot be asked and is believed.
#pragma once
#include <string>
#include <string_view>

namespace scrl {

class FolderLock {
 public:
  // `file` is made inside `folder`, which must exist, and removed at the end. Throws Error(kUsage)
  // "FOLDER: another WHAT is at work in this folder (process N on HOST since TIME); ...".
  FolderLock(const std::string& folder, const std::string& file, std::string_view what);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  bool take(const std::string& folder, std::string_view what);  // false: somebody removed the file

  std::string path_;
  int fd_ = -1;
};

}  // namespace scrl
