// data/new_node_files.h: nodes that join a data set, and their edges, from files.
#pragma once
#include <string>
#include <vector>

#include "data/dataset.h"

namespace scrl {

struct NewNodeFiles {
  std::vector<std::string> ids;
  Csr features;           // new x columns of the data
  Csr edges;              // new x nodes of the data
  Csr edges_among;        // new x new, each edge in the direction of the file
  Index known_edges = 0;  // rows of the edge file that join two nodes of the data; not used
};

// `nodes`: a feature file as docs/formats.md has it, of any name; rows without ids go on counting
// where the data, whose ids are numbers then, ends. `edges`: an edge list over old and new ids;
// empty: none. Repeated edges add up. Throws Error(kData) naming file and line.
NewNodeFiles read_new_nodes(const std::string& nodes, const std::string& edges,
                            const Dataset& data);

}  // namespace scrl
