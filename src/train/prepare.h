// train/prepare.h: from a data set to the constant operands of a model.
#pragma once
#include <memory>

#include "autograd/ops.h"
#include "data/dataset.h"
#include "models/model.h"
#include "neighbors/knn.h"
#include "neighbors/knn_recall.h"
#include "train/options.h"
#include "train/searched_features.h"

namespace scrl {

struct Operands {
  SparseOperand X;                     // features, scaled by feature_norm
  std::unique_ptr<SparseOperand> A_t;  // normalised topology, if asked for
  std::unique_ptr<SparseOperand> A_f;  // normalised feature graph, if asked for
  std::unique_ptr<Csr> edges;          // topology before normalisation, if asked for
};

// A look at how much of the exact neighbours a search found.
struct SearchCheck {
  Index samples;  // nodes that are searched exactly too
  Recall recall = {};
};
// The neighbours of every node as the options say; fills `check`, if given.
Neighbours feature_neighbours(const Dataset& data, const GraphOptions& o,
                              SearchCheck* check = nullptr);

// The feature graph as the options say, before normalisation.
Csr feature_graph(const Dataset& data, const GraphOptions& o);
// The same from neighbours already found. REQUIRES: o.knn is not "file".
Csr feature_graph(const Neighbours& neighbours, const GraphOptions& o);

// What a model may look at: the operands, and of the labels those of the training nodes.
// REQUIRES: `operands` outlives the result.
Inputs model_inputs(const Operands& operands, const Dataset& data, const Split& split,
                    const TrainOptions& train);

// Features as encoders multiply by them: binarized and scaled as the options say.
Csr model_features(const CsrView& features, const GraphOptions& o);

// A graph as encoders multiply by it, with loops and normalised as the options say.
std::unique_ptr<SparseOperand> normalised(const Csr& A, const GraphOptions& o);

Operands prepare(const Dataset& data, const GraphOptions& o, unsigned views);

}  // namespace scrl
