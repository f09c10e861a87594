// trust/prediction_sets.h: the sets of scrl predict --coverage, from a trained model.
//
// Candidates are APS and SNAPS with a few weights of its two graphs (trust/conformal.h). The one
// whose sets are smallest on all nodes is taken, with q from the `choosing` nodes; the calibration
// nodes then give the q that is used. What chooses must not calibrate, or the promise is void.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "trust/conformal.h"

namespace scrl {

struct SetRequest {
  double coverage = 0.9;
  std::vector<NodeId> calibration;  // labelled nodes
  std::vector<NodeId> choosing;     // labelled nodes; none: SNAPS with equal shares
  bool nonempty = false;            // an empty set gets the most probable class
  std::uint64_t seed = 0;           // of u
};

struct PredictionSets {
  std::string score;    // "APS" or "SNAPS"
  Diffusion diffusion;  // of SNAPS
  float q = 0;
  Index calibration_nodes = 0;
  std::vector<bool> member;  // nodes x classes
};

// Throws Error(kUsage) when the calibration nodes are too few, with the number needed.
void require_labels(std::span<const NodeId> calibration, double coverage);

// Both graphs as they are, before normalisation; nodes x nodes. `ids`: of all nodes.
// Throws what require_labels() throws.
PredictionSets choose_sets(const Matrix& log_probs, std::span<const std::string> ids,
                           const Csr& features, const Csr& topology,
                           std::span<const std::int32_t> labels, const SetRequest& request);

// The candidates, APS first.
std::span<const Diffusion> diffusions();

}  // namespace scrl
