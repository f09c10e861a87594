// Reading; parts_write.cc writes.
#include "data/parts.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/parallel.h"
#include "data/knn_file.h"
#include "data/parts_layout.h"
#include "data/sections.h"
#include "io/container.h"
#include "io/paths.h"
#include "io/utf8.h"

namespace scrl {
namespace {

// What is wrong with a file of a data set is wrong with the data.
template <class Read>
auto as_data(const Read& read) {
  try {
    return read();
  } catch (const Error& e) {
    if (e.kind() == ErrorKind::kResource) throw;
    throw Error(ErrorKind::kData, e.what());
  }
}

template <class... Parts>
void require(bool ok, const std::string& file, const Parts&... parts) {
  if (!ok) fail(ErrorKind::kData, file, ": ", parts..., "; run scrl partition again");
}

NumberedEdges get_numbered(const ContainerReader& in, const std::string& name) {
  return {copy<Index>(in, name + ".number"), get_edges(in, name)};
}

void check_numbered(const std::string& file, const char* what, const NumberedEdges& edges,
                    Index all, Index nodes, Index first_row, Index rows) {
  const std::size_t size = edges.number.size();
  require(edges.edges.source.size() == size && edges.edges.target.size() == size &&
              (edges.edges.weight.empty() || edges.edges.weight.size() == size),
          file, what, ": numbers, sources, targets and weights differ in number");
  const auto inside = [&](NodeId node) { return node >= first_row && node < first_row + rows; };
  Index before = -1;
  for (std::size_t e = 0; e < size; ++e) {
    const NodeId a = edges.edges.source[e], b = edges.edges.target[e];
    require(a >= 0 && a < nodes && b >= 0 && b < nodes && (inside(a) || inside(b)), file, what,
            ": edge from ", a, " to ", b, " does not belong to this block");
    require(edges.number[e] > before && edges.number[e] < all, file, what, ": edge number ",
            edges.number[e], " after ", before, ", of ", all);
    before = edges.number[e];
  }
}

// The edges of all blocks, each where its source is, back in their order.
class EdgeCollector {
 public:
  void add(const NumberedEdges& from, Index first_row, Index rows) {
    for (std::size_t e = 0; e < from.number.size(); ++e) {
      const NodeId source = from.edges.source[e];
      if (source < first_row || source >= first_row + rows) continue;
      number_.push_back(from.number[e]);
      edges_.source.push_back(source);
      edges_.target.push_back(from.edges.target[e]);
      if (!from.edges.weight.empty()) edges_.weight.push_back(from.edges.weight[e]);
    }
  }
  Edges in_order(const std::string& file, Index all) {
    const std::size_t size = number_.size();
    require(
        static_cast<Index>(size) == all && (edges_.weight.empty() || edges_.weight.size() == size),
        file, "the blocks have ", size, " edges, expected ", all);
    Edges out;
    out.source.assign(size, -1);
    out.target.resize(size);
    out.weight.resize(edges_.weight.size());
    for (std::size_t e = 0; e < size; ++e) {
      const auto to = static_cast<std::size_t>(number_[e]);
      require(out.source[to] == -1, file, "edge ", to, " is in two blocks as their own");
      out.source[to] = edges_.source[e];
      out.target[to] = edges_.target[e];
      if (!out.weight.empty()) out.weight[to] = edges_.weight[e];
    }
    return out;
  }

 private:
  std::vector<Index> number_;
  Edges edges_;
};

}  // namespace

Index PartsManifest::rows(Index block) const {
  return std::min(block_rows, nodes - first_row(block));
}

bool is_parts(const std::string& folder) { return is_file(parts::manifest_file(folder)); }

PartsManifest read_manifest(const std::string& folder) {
  const std::string file = parts::manifest_file(folder);
  return as_data([&] {
    const ContainerReader in(file, parts::kManifestKind, parts::kVersion);
    const auto sizes = in.array<Index>("sizes");
    require(sizes.size() == 6, file, "expected 6 sizes, found ", sizes.size());
    PartsManifest m{.folder = folder,
                    .name = std::string(in.text("name")),
                    .fingerprint = std::string(in.text("fingerprint")),
                    .nodes = sizes[0],
                    .feature_columns = sizes[1],
                    .edges = sizes[2],
                    .block_rows = sizes[3],
                    .has_ids = sizes[4] != 0,
                    .weighted = sizes[5] != 0};
    require(!m.name.empty() && is_utf8(m.name) && std::ranges::none_of(m.name, is_control), file,
            "name: expected UTF-8 without control characters");
    m.classes = get_texts(in, "classes");
    m.splits = get_splits(in);
    m.feature_entries = copy<Index>(in, "feature_entries");
    m.edge_entries = copy<Index>(in, "edge_entries");
    require(m.nodes >= 1 && m.nodes <= kMaxNodes && m.feature_columns >= 0 &&
                m.feature_columns <= kMaxNodes && m.edges >= 0 && m.block_rows >= 1,
            file, "sizes out of range");
    require(m.blocks() == chunk_count(m.nodes, std::min(m.nodes, m.block_rows)) &&
                m.edge_entries.size() == m.feature_entries.size(),
            file, "expected one size of each block, found ", m.blocks(), " and ",
            m.edge_entries.size(), " for ", m.nodes, " nodes in blocks of ", m.block_rows);
    const auto knn = in.array<Index>("knn");
    require(knn.size() % 2 == 0, file, "knn: expected pairs");
    for (std::size_t i = 0; i < knn.size(); i += 2) {
      require(knn[i] >= kOwnGraph && knn[i] <= std::numeric_limits<int>::max() && knn[i + 1] >= 0,
              file, "knn: k=", knn[i], " with ", knn[i + 1], " edges");
      m.knn_edges[static_cast<int>(knn[i])] = knn[i + 1];
    }
    return m;
  });
}

DataBlock read_block(const PartsManifest& m, Index b) {
  check(b >= 0 && b < m.blocks(), "read_block: block ", b, " of ", m.blocks());
  const std::string file = parts::block_file(m.folder, b);
  return as_data([&] {
    const ContainerReader in(file, parts::kBlockKind, parts::kVersion);
    require(in.text("fingerprint") == m.fingerprint, file, "belongs to another data set");
    const auto block = in.array<Index>("block");
    require(block.size() == 2 && block[0] == b && block[1] == m.rows(b), file, "expected block ", b,
            " with ", m.rows(b), " rows");
    DataBlock out{.first_row = m.first_row(b), .ids = get_texts(in, "ids")};
    const Index rows = m.rows(b);
    out.features = get_features(in, rows, m.feature_columns);
    validate(out.features, cat(file, ": features").c_str());
    out.labels = copy<std::int32_t>(in, "labels");
    require(static_cast<Index>(out.labels.size()) == rows &&
                static_cast<Index>(out.ids.size()) == (m.has_ids ? rows : 0),
            file, "expected ids and labels of ", rows, " nodes, found ", out.ids.size(), " and ",
            out.labels.size());
    for (const std::int32_t label : out.labels)
      require(label >= kUnlabelled && label < static_cast<std::int32_t>(m.classes.size()), file,
              "label ", label, " of ", m.classes.size(), " classes");
    out.edges = get_numbered(in, "edges");
    check_numbered(file, "edges", out.edges, m.edges, m.nodes, out.first_row, rows);
    require(out.edges.edges.weight.size() == (m.weighted ? out.edges.number.size() : 0), file,
            "edges: weights expected in all blocks or in none");
    require(out.features.nnz() == m.feature_entries[static_cast<std::size_t>(b)] &&
                static_cast<Index>(out.edges.number.size()) ==
                    m.edge_entries[static_cast<std::size_t>(b)],
            file, "has other sizes than parts.scrl says");
    for (const auto& [k, edges] : m.knn_edges) {
      NumberedEdges& graph = out.knn_files[k] = get_numbered(in, parts::knn_section(k));
      check_numbered(file, parts::knn_section(k).c_str(), graph, edges, m.nodes, out.first_row,
                     rows);
    }
    return out;
  });
}

Dataset read_parts(const std::string& folder) {
  const PartsManifest m = read_manifest(folder);
  Dataset data{.name = m.name, .source = folder};
  data.features.cols = m.feature_columns;
  data.classes = m.classes, data.splits = m.splits;
  EdgeCollector edges;
  std::map<int, EdgeCollector> knn;
  for (Index b = 0; b < m.blocks(); ++b) {
    DataBlock block = read_block(m, b);
    Csr &to = data.features, &from = block.features;
    for (Index i = 1; i <= from.rows; ++i) to.row_ptr.push_back(to.nnz() + from.row_ptr[i]);
    to.col.insert(to.col.end(), from.col.begin(), from.col.end());
    to.val.insert(to.val.end(), from.val.begin(), from.val.end());
    to.rows += from.rows;
    data.ids.insert(data.ids.end(), block.ids.begin(), block.ids.end());
    data.labels.insert(data.labels.end(), block.labels.begin(), block.labels.end());
    edges.add(block.edges, block.first_row, from.rows);
    for (const auto& [k, graph] : block.knn_files) knn[k].add(graph, block.first_row, from.rows);
  }
  data.nodes = data.features.rows;
  const std::string file = parts::manifest_file(folder);
  data.edges = edges.in_order(file, m.edges);
  for (const auto& [k, size] : m.knn_edges) data.knn_files[k] = knn[k].in_order(file, size);
  return data;
}

}  // namespace scrl
