// models/profiles.h: settings published for a method on a data set, to be asked for by name.
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scrl {

using KeyValues = std::vector<std::pair<std::string, std::string>>;

// What the authors published for this cell; throws Error(kUsage) listing the cells there are when
// they published none.
KeyValues paper_profile(std::string_view method, std::string_view dataset, int labels_per_class);

}  // namespace scrl
