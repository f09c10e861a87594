// data/knn_file.h: a neighbour graph that the user brings, in place of one computed from features.
//
// It is a list of edges as in data/edge_list.h: "node neighbour", one pair per line. Weights are
// not looked at, and a node named as its own neighbour is left out, as searches list it.
// Dataset::knn_files has it under kOwnGraph; it counts for every k.
#pragma once
#include <memory>
#include <string>

#include "data/dataset.h"
#include "data/id_map.h"
#include "io/byte_stream.h"

namespace scrl {

inline constexpr int kOwnGraph = 0;

inline bool has_own_graph(const Dataset& data) { return data.knn_files.contains(kOwnGraph); }

// Refuses ids that are none of the nodes, and a file without neighbours.
Edges read_knn_file(std::unique_ptr<ByteStream> stream, IdMap& ids);

// Reads `path` as the graph of `data`.
void add_knn_file(Dataset& data, const std::string& path);

}  // namespace scrl
