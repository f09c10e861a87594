// eval/metrics.h: how good predictions are. Percent throughout, as the papers print them.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/types.h"
#include "tensor/matrix.h"

namespace scrl {

struct Scores {
  double accuracy = 0, macro_f1 = 0;  // percent
};

// Over `nodes`, which must all be labelled. Macro-F1 is the mean over the classes that occur in the
// truth or in the predictions, a class without a correct prediction counting 0. No nodes: zeros.
Scores score(std::span<const std::int32_t> predicted, std::span<const std::int32_t> labels,
             std::span<const NodeId> nodes, Index classes);

// counts[truth * classes + predicted]
std::vector<Index> confusion(std::span<const std::int32_t> predicted,
                             std::span<const std::int32_t> labels, std::span<const NodeId> nodes,
                             Index classes);

// Mean negative log-likelihood of the true classes.
double mean_nll(const Matrix& log_probs, std::span<const std::int32_t> labels,
                std::span<const NodeId> nodes);

// Percent of the positions at which both have the same number. REQUIRES: equal lengths.
double percent_equal(std::span<const std::int32_t> a, std::span<const std::int32_t> b);

struct MeanStd {
  double mean = 0, std = 0;  // std: sample deviation (n-1), 0 for a single value
};
MeanStd mean_std(std::span<const double> values);

double median(std::vector<double> values);  // 0 for none

}  // namespace scrl
