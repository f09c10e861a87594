// scrl/types.h: the integer widths of the library.
#pragma once
#include <cstdint>

namespace scrl {

using Index = std::int64_t;   // sizes, offsets, anything that may be multiplied
using NodeId = std::int32_t;  // a row or column number as stored in sparse matrices

}  // namespace scrl
