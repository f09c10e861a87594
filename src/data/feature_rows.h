// data/feature_rows.h: node features as a file gives them, before they are matched with nodes.
#pragma once
#include "data/id_map.h"
#include "tensor/csr.h"

namespace scrl {

struct FeatureRows {
  Csr values;          // without stored zeros
  bool keyed = false;  // each row starts with a node id; otherwise rows are in node order
  IdMap ids;           // by row; empty unless keyed
};

}  // namespace scrl
