// plan/memory.h: how much memory a training will take, before it takes it.
#pragma once
#include <algorithm>

#include "config/config.h"
#include "data/dataset.h"
#include "models/model.h"
#include "train/prepare.h"

namespace scrl {

// What prepare() adds to a data set in memory: kept are the operands, `peak` counts the search for
// neighbours too. Training starts with `kept` less `freed`: features that are multiplied by as they
// are stored need not be kept twice.
struct OperandBytes {
  Index kept = 0, peak = 0, freed = 0;
  Index during(Index model) const { return std::max(peak, kept - freed + model); }
};
// Whether a run with data of its own gives up the features for those of the operands.
bool frees_features(const Dataset& data, const GraphOptions& graph);
OperandBytes operand_bytes(const Dataset& data, const RunConfig& config);

// Whether a training takes long enough to write a checkpoint.
bool writes_checkpoints(const RunConfig& config, double epoch_ms);

// What a training needs besides its epochs: the best parameters, files of results, and its
// checkpoints if it writes any.
Index keeping_bytes(const Model& model, const Dataset& data, bool checkpoints = false);

// What the epochs of a model add to the operands.
Index model_bytes(const Model& model, const Dataset& data, const GraphOptions& graph);

// A model of the right shapes on empty operands (on real ones where shapes depend on the graph):
// laid out, its large buffers not yet in memory. `operands` must outlive it.
std::unique_ptr<Model> unused_model(const Dataset& data, const Split& split,
                                    const RunConfig& config, Operands& operands);

// require_memory() for all of a training, before any of it. REQUIRES: config is resolved.
void require_memory_for_run(const Dataset& data, const Split& split, const RunConfig& config,
                            Index limit);

// Throws Error(kResource) unless `needed` more bytes fit: below `limit` for the whole process, or,
// with limit 0, into what the machine has left.
void require_memory(Index needed, Index limit, const char* what);

}  // namespace scrl
