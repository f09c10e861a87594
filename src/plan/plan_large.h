// plan/plan_large.h: what a training on a large graph will take, from a training on a piece of it.
#pragma once
#include "config/config.h"
#include "data/dataset.h"

namespace scrl {

struct LargeEstimate {
  double epoch_ms = 0;
  Index peak = 0;  // bytes
};

// Methods on normalised graphs: ops that go row by row are timed on a piece of the nodes, and
// sparse products, whose speed depends on the whole graph, once in full. Methods that make
// something of their own of the edges: every op of the piece is scaled by what it has to do on the
// whole, which is laid out for that.
LargeEstimate estimate_large(const Dataset& data, const Split& split, const RunConfig& config);

}  // namespace scrl
