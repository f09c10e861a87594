// train/prepare.h: from a data set to the constant operands of a model.
#pragma once
#include <memory>

#include "autograd/ops.h"
#include "data/dataset.h"
#include "models/model.h"
#include "train/options.h"

namespace scrl {

struct Operands {
  SparseOperand X;                     // features, scaled by feature_norm
  std::unique_ptr<SparseOperand> A_t;  // normalised topology, if asked for
  std::unique_ptr<SparseOperand> A_f;  // normalised feature graph, if asked for
};

// The feature graph as the options say, before normalisation. Similarities are taken between the
// features as stored; feature_norm does not change a cosine.
Csr feature_graph(const Dataset& data, const GraphOptions& o);

Operands prepare(const Dataset& data, const GraphOptions& o, bool topology, bool features);

}  // namespace scrl
