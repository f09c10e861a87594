// eval/per_class.h: scores class by class, and how far confidence can be trusted.
//
// With hits, the nodes of class c that were predicted as c:
//   precision = hits / predicted as c,  recall = hits / of class c,  F1 = 2 hits / (sum of both)
// A share of nothing is NaN. Calibration sorts nodes by the probability of their predicted class
// into bins of equal width; in a calibrated model accuracy equals mean confidence in each.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "base/types.h"
#include "tensor/matrix.h"

namespace scrl {

struct ClassScores {
  Index nodes = 0, predicted = 0;
  double precision = 0, recall = 0, f1 = 0;  // percent
};
// From counts[truth * classes + predicted], as confusion() gives them.
std::vector<ClassScores> class_scores(std::span<const Index> counts, Index classes);

struct CalibrationBin {
  Index nodes = 0;
  double confidence = 0, accuracy = 0;  // means, percent; 0 when there are no nodes
};
struct Calibration {
  std::vector<CalibrationBin> bins;  // bin b holds confidences in [b, b+1) / bins, the last also 1
  double expected_error = 0;  // mean |confidence - accuracy| over the nodes, bin by bin; percent
};
// REQUIRES: every node of `nodes` is labelled.
Calibration calibration(const Matrix& log_probs, std::span<const std::int32_t> labels,
                        std::span<const NodeId> nodes, int bins);

}  // namespace scrl
