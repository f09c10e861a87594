// base/types.h: the integer widths of the program and their limits.
#pragma once
#include "scrl/types.h"

namespace scrl {

inline constexpr Index kMaxNodes = INT32_MAX - 1;  // what NodeId can address

}  // namespace scrl
