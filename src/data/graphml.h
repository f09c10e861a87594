// data/graphml.h: data sets in one GraphML file (graphml.graphdrawing.org), as NetworkX, igraph,
// Gephi and yEd write them. docs/formats.md says what becomes features, labels and weights.
#pragma once
#include <string>

#include "data/dataset.h"
#include "io/source.h"

namespace scrl {

// True when there is a file NAME.graphml (or .graphml.gz).
bool is_graphml(const Source& source);

// `label`: name of the node attribute with the classes; empty: "label", if there is one.
Dataset read_graphml(const Source& source, const std::string& label = "");

// Names of the attributes of the graph that hold what GraphML has no place for: class names in
// order, and the nodes of splits ("train20"), one name per line.
inline constexpr std::string_view kGraphmlClasses = "classes";
inline constexpr std::string_view kGraphmlLabel = "label", kGraphmlWeight = "weight";

}  // namespace scrl
