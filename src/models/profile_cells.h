// models/profile_cells.h: the rows behind --profile, published (published.cc) and tuned (tuned.cc).
#pragma once
#include <string_view>
#include <vector>

#include "models/profiles.h"

namespace scrl {

constexpr std::string_view kAny = "";
constexpr int kCommon = -1;  // in place of a label rate: goes with other rows, is not one by itself

// Values for a method on a data set at a label rate; kAny and 0 stand for all of them. Every row
// that fits is applied, later ones over earlier ones.
struct Cell {
  std::string_view method, dataset;
  int labels;
  KeyValues values;
};

const std::vector<Cell>& published_cells();

}  // namespace scrl
