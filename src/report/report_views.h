// report/report_views.h: what the two views of a model say about each node.
//
// The logit of class c is W_t[:,c] . z_t + W_f[:,c] . z_f + b_c. A number added to the logits of
// all classes changes no probability, so the part of a view is taken against its mean over the
// classes:
//   l_v = W_v[:,c] . z_v - mean over k of W_v[:,k] . z_v,   c the predicted class
//   share of the topology = max(l_t,0) / (max(l_t,0) + max(l_f,0)),  1/2 when neither speaks for c
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "models/model.h"

namespace scrl {

struct ViewFacts {
  std::vector<float> topology_share;     // of the winning logit, per node; empty: not known
  std::vector<std::int32_t> nearest[2];  // prototype of each node by topology, by features
  Index prototypes = 0;
  double agreement = 0;  // percent of nodes with the same in both
};

// Empty for a model without two views. REQUIRES: `model` has been evaluated.
std::optional<ViewFacts> view_facts(Model& model, const std::vector<std::int32_t>& predicted);

}  // namespace scrl
