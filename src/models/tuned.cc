#include "models/profile_cells.h"

namespace scrl {

// Found by `scrl tune` on validation nodes; docs/tuned has the space and the trials of each search.
const std::vector<Cell>& tuned_cells() {
  static const std::vector<Cell> table = {
      // scrl tune citeseer -l 40 --budget 14 --seeds 8 --space docs/tuned/scrl-citeseer-space.txt
      {"scrl", "citeseer", 0, {{"lr", "0.00259"}, {"weight_decay", "0.00279"}, {"vote", "0.5"}}},
  };
  return table;
}

}  // namespace scrl
