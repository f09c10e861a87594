#include "base/error.h"
#include "convert/write_layout.h"
#include "data/graphml.h"
#include "io/atomic_file.h"
#include "io/markup.h"

namespace scrl {
namespace {

std::string data_tag(std::string_view key, std::string_view value) {
  return cat("<data key=\"", key, "\">", escaped(value), "</data>");
}

std::string key_tag(std::string_view id, const char* domain, const char* type) {
  return cat("  <key id=\"", id, "\" for=\"", domain, "\" attr.name=\"", id, "\" attr.type=\"",
             type, "\"/>\n");
}

// One per line.
std::string names_of(const Dataset& data, const std::vector<NodeId>& nodes) {
  std::string lines;
  for (const NodeId node : nodes) lines += data.id(node) + "\n";
  return lines;
}

}  // namespace

void write_graphml(const Dataset& data, const std::string& path) {
  AtomicFile file(path);
  const bool weighted = !data.edges.weight.empty();
  const auto splits = split_parts(data);
  std::string classes;
  for (const std::string& name : data.classes) classes += name + "\n";
  file.write(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">\n");
  for (Index j = 0; j < data.features.cols; ++j) file.write(key_tag(cat("f", j), "node", "float"));
  file.write(key_tag(kGraphmlLabel, "node", "string"));
  if (weighted) file.write(key_tag(kGraphmlWeight, "edge", "float"));
  file.write(key_tag(kGraphmlClasses, "graph", "string"));
  for (const auto& [name, nodes] : splits) file.write(key_tag(name, "graph", "string"));
  file.write("  <graph edgedefault=\"undirected\">\n");
  if (!classes.empty()) file.write("    " + data_tag(kGraphmlClasses, classes) + "\n");
  for (const auto& [name, nodes] : splits)
    file.write("    " + data_tag(name, names_of(data, *nodes)) + "\n");
  for (Index i = 0; i < data.nodes; ++i) {
    std::string node = cat("    <node id=\"", escaped(data.id(i)), "\">");
    const auto columns = data.features.row_cols(i);
    const auto values = data.features.row_vals(i);
    for (std::size_t e = 0; e < columns.size(); ++e)
      node += data_tag(cat("f", columns[e]), cat(values[e]));
    if (const std::int32_t c = data.labels[static_cast<std::size_t>(i)]; c != kUnlabelled)
      node += data_tag(kGraphmlLabel, data.classes[static_cast<std::size_t>(c)]);
    file.write(node + "</node>\n");
  }
  for (std::size_t e = 0; e < data.edges.source.size(); ++e) {
    file.write(cat("    <edge source=\"", escaped(data.id(data.edges.source[e])), "\" target=\"",
                   escaped(data.id(data.edges.target[e])), "\""));
    file.write(weighted ? cat(">", data_tag(kGraphmlWeight, cat(data.edges.weight[e])), "</edge>\n")
                        : std::string("/>\n"));
  }
  file.write("  </graph>\n</graphml>\n");
  file.become_target();
}

}  // namespace scrl
