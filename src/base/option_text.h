// base/option_text.h: how an option is described, in --help and wherever else people read of it.
#pragma once
#include <string>

#include "base/options.h"

namespace scrl {

// N, X, TEXT or BOOL.
const char* option_type(const OptionSet::Entry& entry);

// "a number above 0; default 0.01"; may be empty.
std::string option_notes(const OptionSet::Entry& entry);

}  // namespace scrl
