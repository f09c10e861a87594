// models/profiles.h: --profile paper and tuned, settings for the data sets of the comparisons.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scrl {

using KeyValues = std::vector<std::pair<std::string, std::string>>;

// "paper": what the authors published for this cell, or the nearest documented guess (published.cc
// says which). "tuned": what a search on validation nodes found (tuned.cc names the record). Throws
// Error(kUsage) listing the cells there are. No labels per class (0): the first split of the data,
// which has 20.
KeyValues profile_values(std::string_view profile, std::string_view method,
                         std::string_view dataset, int labels_per_class);

}  // namespace scrl
