#include "models/profile_cells.h"

namespace scrl {

// Found by `scrl tune` on validation nodes; docs/tuned has the space and the trials of each search.
const std::vector<Cell>& tuned_cells() {
  static const std::vector<Cell> table = {
      // scrl tune citeseer -l 40 --set val_nodes=2000 --budget 54 --seeds 4
      //   --space docs/tuned/scrl-citeseer-space.txt
      {"scrl",
       "citeseer",
       0,
       {{"lr", "0.00243"},
        {"weight_decay", "0.00958"},
        {"k", "15"},
        {"dropout", "0.2"},
        {"input_dropout", "0.9"},
        {"alpha", "2"},
        {"feature_weight", "1"},
        {"vote", "1"}}},
      // scrl tune uai -l 40 --budget 9m --seeds 4 --space docs/tuned/scrl-uai-space.txt
      {"scrl",
       "uai",
       0,
       {{"lr", "0.00294"},
        {"weight_decay", "0.000376"},
        {"k", "5"},
        {"dropout", "0.7"},
        {"tau", "1"},
        {"alpha", "0.25"},
        {"feature_weight", "1"}}},
  };
  return table;
}

}  // namespace scrl
