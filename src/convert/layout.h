// convert/layout.h: the layouts in which a data set can be written, and what each cannot hold.
#pragma once
#include <string>
#include <vector>

#include "base/choice.h"
#include "data/dataset.h"

namespace scrl {

enum class DataLayout { kFolder, kAmgcn, kNpz, kPlanetoid, kGraphml };
template <>
inline constexpr auto kNames<DataLayout> =
    std::array{"folder", "amgcn", "npz", "planetoid", "graphml"};

// One file, not a folder of files.
inline bool is_one_file(DataLayout layout) {
  return layout == DataLayout::kNpz || layout == DataLayout::kGraphml;
}

// What a data set becomes in a layout.
struct Fitted {
  Dataset data;                    // what reading it back gives
  std::vector<std::string> lost;   // what the layout has no place for, a line each
  std::vector<std::string> notes;  // what changes without changing what the data say
};

// Throws Error(kUsage) when the layout cannot hold it at all, and says which can.
Fitted fitted(Dataset data, DataLayout layout);

// The split is the one that Planetoid's files say by the order of rows: nodes 0, 1, ... train, up
// to 500 that follow validate, and the rest is tested.
bool has_planetoid_order(const Dataset& data);

}  // namespace scrl
