// models/profiles.h: --profile paper, settings for the data sets of the comparisons.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scrl {

using KeyValues = std::vector<std::pair<std::string, std::string>>;

// What the authors published for this cell, or the nearest documented guess (published.cc says
// which). Throws Error(kUsage) listing the cells there are. No labels per class (0): the first
// split of the data, which has 20.
KeyValues published_values(std::string_view method, std::string_view dataset, int labels_per_class);

}  // namespace scrl
