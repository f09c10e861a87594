// Writing of data/parts.h.
#include <algorithm>

#include "base/block_tree.h"
#include "base/error.h"
#include "data/parts.h"
#include "data/parts_layout.h"
#include "data/sections.h"
#include "io/atomic_file.h"
#include "io/container.h"
#include "io/paths.h"

namespace scrl {
namespace {

using namespace parts;

void put_numbered(ContainerWriter& out, const std::string& name, const NumberedEdges& edges) {
  out.add_array(name + ".number", edges.number);
  put_edges(out, name, edges.edges);
}

// For every block the numbers of the edges that touch its rows.
std::vector<std::vector<Index>> edges_by_block(const Edges& edges, Index blocks, Index rows) {
  std::vector<std::vector<Index>> out(static_cast<std::size_t>(blocks));
  for (Index e = 0; e < edges.size(); ++e) {
    const Index a = edges.source[static_cast<std::size_t>(e)] / rows;
    const Index b = edges.target[static_cast<std::size_t>(e)] / rows;
    out[static_cast<std::size_t>(a)].push_back(e);
    if (b != a) out[static_cast<std::size_t>(b)].push_back(e);
  }
  return out;
}

NumberedEdges chosen(const Edges& edges, std::vector<Index> numbers) {
  NumberedEdges out{.number = std::move(numbers)};
  for (const Index e : out.number) {
    const auto at = static_cast<std::size_t>(e);
    out.edges.source.push_back(edges.source[at]);
    out.edges.target.push_back(edges.target[at]);
    if (!edges.weight.empty()) out.edges.weight.push_back(edges.weight[at]);
  }
  return out;
}

Csr some_rows(const Csr& X, Index begin, Index end) {
  Csr out{.rows = end - begin, .cols = X.cols};
  const Index first = X.row_ptr[begin], last = X.row_ptr[end];
  for (Index i = begin; i < end; ++i) out.row_ptr.push_back(X.row_ptr[i + 1] - first);
  out.col.assign(X.col.begin() + first, X.col.begin() + last);
  out.val.assign(X.val.begin() + first, X.val.begin() + last);
  return out;
}

// Other files are not ours to remove; blocks of an earlier partition are.
void prepare_folder(const std::string& folder) {
  if (exists(folder) && !is_folder(folder))
    fail(ErrorKind::kUsage, folder, ": expected a folder or nothing, found a file");
  const std::vector<std::string> names = names_in(folder);
  for (const std::string& name : names)
    if (name != "parts.scrl" && !is_block_name(name))
      fail(ErrorKind::kUsage, folder, ": holds ", name, ", which is no part of a data set; give a ",
           "new folder");
  make_directories(folder);
  remove_file(manifest_file(folder));
  for (const std::string& name : names)
    if (is_block_name(name)) remove_file(cat(folder, "/", name));
}

void write_manifest(const PartsManifest& m) {
  ContainerWriter out(kManifestKind, kVersion);
  out.add_text("name", m.name);
  out.add_text("fingerprint", m.fingerprint);
  out.add_array("sizes", std::vector<Index>{m.nodes, m.feature_columns, m.edges, m.block_rows,
                                            Index{m.has_ids}, Index{m.weighted}});
  put_texts(out, "classes", m.classes);
  put_splits(out, m.splits);
  std::vector<Index> knn;
  for (const auto& [k, edges] : m.knn_edges) knn.insert(knn.end(), {Index{k}, edges});
  out.add_array("knn", knn);
  out.add_array("feature_entries", m.feature_entries);
  out.add_array("edge_entries", m.edge_entries);
  out.write(manifest_file(m.folder));
}

}  // namespace

PartsManifest write_parts(const Dataset& data, const std::string& folder) {
  check(!data.lent_features && !data.lent_edges, "write_parts: the arrays belong to the caller");
  prepare_folder(folder);
  PartsManifest m{.folder = folder, .name = data.name, .fingerprint = fingerprint(data)};
  m.nodes = data.nodes, m.feature_columns = data.features.cols, m.edges = data.edges.size();
  m.block_rows = block_rows();
  m.has_ids = !data.ids.empty(), m.weighted = !data.edges.weight.empty();
  m.classes = data.classes, m.splits = data.splits;
  const Index blocks = block_count(data.nodes);
  std::vector<std::vector<Index>> edges = edges_by_block(data.edges, blocks, m.block_rows);
  std::map<int, std::vector<std::vector<Index>>> knn;
  for (const auto& [k, graph] : data.knn_files) {
    m.knn_edges[k] = graph.size();
    knn[k] = edges_by_block(graph, blocks, m.block_rows);
  }
  for (Index b = 0; b < blocks; ++b) {
    const auto at = static_cast<std::size_t>(b);
    const Index first = b * m.block_rows, last = std::min(data.nodes, first + m.block_rows);
    ContainerWriter out(kBlockKind, kVersion);
    out.add_text("fingerprint", m.fingerprint);
    out.add_array("block", std::vector<Index>{b, last - first});
    const auto ids = [&](Index i) { return data.ids.begin() + i; };
    put_texts(out, "ids",
              m.has_ids ? std::vector(ids(first), ids(last)) : std::vector<std::string>{});
    const Csr rows = some_rows(data.features, first, last);
    put_features(out, rows);
    out.add_array("labels", std::span(data.labels)
                                .subspan(static_cast<std::size_t>(first),
                                         static_cast<std::size_t>(rows.rows)));
    m.feature_entries.push_back(rows.nnz());
    m.edge_entries.push_back(static_cast<Index>(edges[at].size()));
    put_numbered(out, "edges", chosen(data.edges, std::move(edges[at])));
    for (auto& [k, numbers] : knn)
      put_numbered(out, knn_section(k), chosen(data.knn_files.at(k), std::move(numbers[at])));
    out.write(block_file(folder, b));
  }
  write_manifest(m);
  return m;
}

}  // namespace scrl
