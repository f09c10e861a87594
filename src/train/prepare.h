// train/prepare.h: from a data set to the constant operands of a model.
#pragma once
#include <memory>

#include "autograd/ops.h"
#include "data/dataset.h"
#include "models/model.h"
#include "points/knn.h"
#include "train/options.h"
#include "train/searched_features.h"

namespace scrl {

struct Operands {
  SparseOperand X;                     // features, scaled by feature_norm
  std::unique_ptr<SparseOperand> A_t;  // normalised topology, if asked for
  std::unique_ptr<SparseOperand> A_f;  // normalised feature graph, if asked for
  std::unique_ptr<Csr> edges;          // topology before normalisation, if asked for
};

// The neighbours of every node as the options say.
Neighbours feature_neighbours(const Dataset& data, const GraphOptions& o);

// The feature graph as the options say, before normalisation.
Csr feature_graph(const Dataset& data, const GraphOptions& o);
// The same from neighbours already found. REQUIRES: o.knn is not "file".
Csr feature_graph(const Neighbours& neighbours, const GraphOptions& o);

// What "auto" stands for, whatever the labels (with them: train/label_rules.h, which also says when
// rows have this length; of the search for neighbours: train/searched_features.h).
//   row_length  m/64 for rows of m features in the mean, at least 1/4: among hundreds a single
//               feature tells little and has to be heard, among few it is soon learned by heart
//   steps       as many as cost 28 messages per node, and no more than it takes to see the whole
//               graph, from 2 to 6: with few edges per node there is more to see a few steps on
double row_length_for(const Csr& features);
int steps_for(const Dataset& data);

// Neighbours of a node in the topology; repeated edges and both directions count once.
double mean_degree(const Dataset& data);

// What a model may look at: the operands, and of the labels those of the training nodes.
// REQUIRES: `operands` outlives the result.
Inputs model_inputs(const Operands& operands, const Dataset& data, const Split& split,
                    const TrainOptions& train);

// A graph as encoders multiply by it, with loops and normalised as the options say.
std::unique_ptr<SparseOperand> normalised(const Csr& A, const GraphOptions& o);

Operands prepare(const Dataset& data, const GraphOptions& o, unsigned views);

}  // namespace scrl
