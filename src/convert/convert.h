// convert/convert.h: a data set written in another layout, read again, and compared, before it
// takes its name.
#pragma once
#include <string>

#include "convert/layout.h"

namespace scrl {

struct ConvertRequest {
  Dataset data;
  DataLayout layout = DataLayout::kFolder;
  std::string out;
  bool allow_loss = false;  // write although something is lost
  bool force = false;       // replace a data set of this program, or a file
};

struct Converted {
  std::vector<std::string> lost, notes;  // as in Fitted
  std::string fingerprint;               // of what was written
};

// Throws Error(kUsage) when the layout loses something and `allow_loss` is not set, or when
// something is there that would be overwritten; nothing is written then.
Converted convert(ConvertRequest request);

}  // namespace scrl
