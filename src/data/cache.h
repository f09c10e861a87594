// data/cache.h: binary copies of data sets that were read before.
#pragma once
#include <optional>

#include "data/dataset.h"
#include "io/source.h"

namespace scrl {

// Nothing here ever fails a load: a missing, stale or damaged copy is the same as none. What
// cache_get() returns has passed validate().
std::optional<Dataset> cache_get(const Source& source);
void cache_put(const Source& source, const Dataset& data);

}  // namespace scrl
