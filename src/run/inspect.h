// run/inspect.h: the facts of a data set, and what is odd about it.
#pragma once
#include <optional>
#include <string>

#include "config/json.h"
#include "data/dataset.h"
#include "train/options.h"

namespace scrl {

// Sizes, degrees, classes, splits, homophily of the topology and of the feature graph, and a list
// of warnings, each with what to do about it. docs/formats.md names the fields.
Json inspect(const Dataset& data, const GraphOptions& graph);
// The same with the feature graph already made; none where there are no features.
Json inspect(const Dataset& data, const GraphOptions& graph, const std::optional<Csr>& features);

}  // namespace scrl
