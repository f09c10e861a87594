// data/label_suffix.h: FILE.graphml:label=NAME, a data set with a choice of what its classes are.
#pragma once
#include <string>
#include <utility>

namespace scrl {

// `what` without ":label=NAME" at its end, and NAME: the node attribute of a .graphml file that has
// the classes. Without such an end NAME is empty.
std::pair<std::string, std::string> split_label(const std::string& what);

}  // namespace scrl
