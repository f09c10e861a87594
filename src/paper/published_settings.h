// paper/published_settings.h: --profile paper, settings that the authors of a method published
// (settings.toml, which is part of the program).
#pragma once
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace scrl {

using KeyValues = std::vector<std::pair<std::string, std::string>>;

// What the authors published for this method, data set and number of labels per class, or the
// nearest documented guess (settings.toml says which). Later values win. 0 labels per class: the
// first split of the data, which has 20. Throws Error(kUsage) that lists what there is.
KeyValues published_values(std::string_view method, std::string_view dataset, int labels_per_class);

}  // namespace scrl
