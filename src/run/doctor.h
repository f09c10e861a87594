// run/doctor.h: mistakes that data sets are often made with, each as one line that says what to do.
// The limits in here decide which lines are shown and nothing else.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "data/dataset.h"
#include "train/options.h"

namespace scrl {

// `feature_graph`: the one of these options; none where there are no features.
std::vector<std::string> diagnose(const Dataset& data, const GraphOptions& graph,
                                  const std::optional<Csr>& feature_graph);

}  // namespace scrl
