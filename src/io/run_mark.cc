#include "io/run_mark.h"

#include <fstream>

namespace scrl {

bool is_run_folder(const std::string& path) {
  std::string start(kRunMark.size(), '\0');
  std::ifstream in(path + "/config.toml", std::ios::binary);
  return in.read(start.data(), static_cast<std::streamsize>(start.size())) && start == kRunMark;
}

}  // namespace scrl
