// models/profiles.h: --profile paper, the settings of the papers for the data sets they used.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scrl {

using KeyValues = std::vector<std::pair<std::string, std::string>>;

// What the authors published for this cell, or the nearest documented guess (profiles.cc says
// which). Throws Error(kUsage) listing the cells there are.
KeyValues paper_profile(std::string_view method, std::string_view dataset, int labels_per_class);

}  // namespace scrl
