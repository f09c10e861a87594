// train/split.h: which nodes train, choose and test.
//
// The rules, in order (docs/protocols.md):
//  1. The data has a split for the rate asked for (or no rate is asked for and it has any): its
//     training and test nodes are used as they are.
//  2. Another rate: `labels` nodes per class are drawn outside the test nodes (those of the data,
//     or test_nodes drawn ones).
//  3. No split and no rate: the labelled nodes are divided by test_share and val_share.
// With split = random the data counts as one without splits, and with a rate every labelled node
// that neither trains nor validates is a test node (Li et al., AAAI 2018).
// Validation nodes that the data does not name are drawn from labelled nodes in neither of the two;
// when none is left, from the training nodes, which then lose them. Every draw is stratified and a
// function of the seed. Under `fixed` no validation node is drawn or used.
#pragma once
#include <cstdint>

#include "data/dataset.h"
#include "train/options.h"

namespace scrl {

Split choose_split(const Dataset& data, const SplitOptions& options, bool with_validation,
                   std::uint64_t seed);

// The validation nodes that conformal_share keeps apart: in no part of that split, so no epoch,
// weight or temperature depends on their labels.
std::vector<NodeId> conformal_nodes(const Dataset& data, const SplitOptions& options,
                                    std::uint64_t seed);

}  // namespace scrl
