#include "io/run_mark.h"

#include "io/regular_file.h"

namespace scrl {

bool is_run_folder(const std::string& path) {
  return first_bytes(path + "/config.toml", kRunMark.size()) == kRunMark;
}

}  // namespace scrl
