#include "data/knn_file.h"

#include "base/error.h"
#include "data/edge_list.h"
#include "io/paths.h"

namespace scrl {
namespace {

IdMap ids_of(const Dataset& data) {
  if (data.ids.empty()) return IdMap::numbers(data.nodes, cat("nodes of ", data.source));
  IdMap ids;
  for (const std::string& id : data.ids) ids.add(id);
  return ids;
}

}  // namespace

Edges read_knn_file(std::unique_ptr<ByteStream> stream, IdMap& ids) {
  const std::string name = stream->name();
  const Edges rows = read_edge_list(std::move(stream), ids, UnknownId::kRefuse);
  Edges out;
  for (Index e = 0; e < rows.size(); ++e) {
    if (rows.source[e] == rows.target[e]) continue;
    out.source.push_back(rows.source[e]);
    out.target.push_back(rows.target[e]);
  }
  if (out.size() == 0)
    fail(ErrorKind::kData, name, ": expected lines of a node and its neighbour, found none");
  return out;
}

void add_knn_file(Dataset& data, const std::string& path) {
  IdMap ids = ids_of(data);
  data.knn_files[kOwnGraph] = read_knn_file(open_file(path), ids);
}

}  // namespace scrl
