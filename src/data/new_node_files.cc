#include "data/new_node_files.h"

#include <filesystem>

#include "base/error.h"
#include "data/edge_list.h"
#include "data/feature_file.h"
#include "io/line_reader.h"

namespace scrl {
namespace {

// Ids of the data, then those of the new nodes, whose numbers therefore begin at data.nodes.
IdMap all_ids(const FeatureRows& rows, const std::string& file, const Dataset& data) {
  IdMap ids;
  for (Index i = 0; i < data.nodes; ++i) ids.add(data.id(i));
  if (!rows.keyed && !data.ids.empty())
    fail(ErrorKind::kData, file, ": expected a node id at the start of each row, as the ids of ",
         data.source, " are names; found none");
  for (Index row = 0; row < rows.values.rows; ++row) {
    const std::string id = rows.keyed ? rows.ids.name(row) : cat(data.nodes + row);
    if (ids.add(id) != data.nodes + row)
      fail(ErrorKind::kData, file, ": node ", shown(id), " is in ", data.source,
           " already; new nodes have ids of their own");
  }
  return ids;
}

struct Triplets {
  std::vector<NodeId> row, column;
  std::vector<float> value;

  void add(Index i, Index j, float w) {
    row.push_back(static_cast<NodeId>(i));
    column.push_back(static_cast<NodeId>(j));
    value.push_back(w);
  }
  Csr csr(Index rows, Index cols) const {
    return csr_from_triplets(rows, cols, row, column, value, Dup::kSum);
  }
};

}  // namespace

NewNodeFiles read_new_nodes(const std::string& nodes, const std::string& edges,
                            const Dataset& data) {
  FeatureRows rows = read_feature_file(nodes, data.features.cols);
  IdMap ids = all_ids(rows, nodes, data);
  const Index n = data.nodes, count = rows.values.rows;
  NewNodeFiles out;
  for (Index row = 0; row < count; ++row) out.ids.push_back(ids.name(n + row));
  out.features = std::move(rows.values);
  Triplets known, among;
  if (!edges.empty()) {
    const Edges list = read_edge_list(open_file(edges), ids, UnknownId::kRefuse);
    for (std::size_t e = 0; e < list.source.size(); ++e) {
      const Index i = list.source[e], j = list.target[e];
      const float w = list.weight.empty() ? 1.0f : list.weight[e];
      if (i < n && j < n) {
        ++out.known_edges;
      } else if (i >= n && j >= n) {
        among.add(i - n, j - n, w);
      } else {
        known.add(std::max(i, j) - n, std::min(i, j), w);
      }
    }
  }
  out.edges = known.csr(count, n);
  out.edges_among = among.csr(count, count);
  return out;
}

}  // namespace scrl
