// base/types.h: the three integer widths of the program.
#pragma once
#include <cstdint>

namespace scrl {

using Index = std::int64_t;   // sizes, offsets, anything that may be multiplied
using NodeId = std::int32_t;  // a row or column number as stored in sparse matrices

inline constexpr Index kMaxNodes = INT32_MAX - 1;  // what NodeId can address

}  // namespace scrl
