// io/npy_header.h: the text part of an .npy header, a Python dictionary of three known keys:
//   {'descr': '<f4', 'fortran_order': False, 'shape': (3, 2), }
#pragma once
#include <string>
#include <string_view>

#include "io/npy.h"

namespace scrl {

inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

// Throws Error(kData) "NAME: ..." when it is anything else. Accepted shapes have a product that
// fits into an Index.
NpyHeader parse_npy_header(std::string_view text, const std::string& name);

// What a .npy file of this type and shape begins with, row order: the values follow.
std::string npy_preamble(std::string_view type, const std::vector<Index>& shape);

}  // namespace scrl
