// io/pending_folder.h: a folder that appears whole or not at all. Its files are written to a folder
// beside the place, which then takes its name. What a killed process left there is removed by the
// next one.
#pragma once
#include <string>

namespace scrl {

class PendingFolder {
 public:
  explicit PendingFolder(const std::string& target);  // makes TARGET.tmp-<pid>
  ~PendingFolder();                                   // removes it and what is left in it
  PendingFolder(const PendingFolder&) = delete;
  PendingFolder& operator=(const PendingFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string file(const std::string& name) const { return path_ + "/" + name; }

  // The folder, or one file of it, takes the place of the target. What was there is removed, a
  // folder with all that is in it: the caller has looked. Throws Error(kRun), Error(kResource).
  void become_target();
  void become_target(const std::string& name);

 private:
  std::string target_, path_;
};

}  // namespace scrl
