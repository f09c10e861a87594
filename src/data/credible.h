// data/credible.h: a limit on sizes that a file only claims.
#pragma once
#include <string>
#include <string_view>

#include "base/types.h"

namespace scrl {

// Empty rows and columns take no room in a file, yet later steps allocate for each of them, so that
// one wrong number could ask for any amount of memory. Throws Error(kData) "where: ..." when
// `size` ("columns", ...) is out of proportion to the number of stored values: above
// 1 000 000 + 64 * entries.
void check_credible(Index size, std::string_view what, Index entries, const std::string& where);

}  // namespace scrl
