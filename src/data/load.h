// data/load.h: from what a user types to a Dataset.
#pragma once
#include <string>

#include "data/dataset.h"

namespace scrl {

struct LoadOptions {
  bool use_cache =
      true;  // binary copy below $SCRL_CACHE, else $XDG_CACHE_HOME/scrl, else ~/.cache/scrl
};

// `what` is, in this order: "demo" or "demo:key=value,...", an existing folder, an existing .zip
// file, or a name looked up below $SCRL_DATA (any case; NAME, NAME.zip).
Dataset load_dataset(const std::string& what, const LoadOptions& options = {});

}  // namespace scrl
