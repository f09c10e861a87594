#include <algorithm>
#include <array>

#include "base/error.h"
#include "convert/write_layout.h"
#include "data/knn_file.h"
#include "data/splits.h"
#include "io/archive_writer.h"
#include "io/atomic_file.h"
#include "io/npy_write.h"
#include "io/quoted.h"

namespace scrl {
namespace {

bool has_id(const Dataset& data, std::string_view id) {
  return std::ranges::find(data.ids, id) != data.ids.end();
}

// In a file whose separator is found out from its first line.
std::string split_line(const std::string& id) {
  return id.find_first_of(" \t;,\"") == std::string::npos ? id_line(id) : in_quotes(id);
}

void write_names(const std::string& path, const std::vector<std::string>& names) {
  AtomicFile file(path);
  for (const std::string& name : names) file.write(id_line(name) + "\n");
  file.become_target();
}

void write_edges(const Dataset& data, const Edges& edges, const std::string& path) {
  AtomicFile file(path);
  const bool weighted = !edges.weight.empty();
  // A node of one of these names would make an edge of the header.
  if (!has_id(data, "source") && !has_id(data, "target"))
    file.write(weighted ? "source,target,weight\n" : "source,target\n");
  for (std::size_t e = 0; e < edges.source.size(); ++e) {
    file.write(csv_field(data.id(edges.source[e])) + "," + csv_field(data.id(edges.target[e])) +
               (weighted ? cat(",", edges.weight[e], "\n") : std::string("\n")));
  }
  file.become_target();
}

// As scipy.sparse.save_npz writes it.
void write_features(const Csr& X, const std::string& path) {
  ArchiveWriter archive(path);
  const std::array<Index, 2> shape = {X.rows, X.cols};
  archive.add("indices.npy", npy_of(std::span(X.col)));
  archive.add("indptr.npy", npy_of(std::span(X.row_ptr)));
  archive.add("format.npy", npy_of_word("csr"));
  archive.add("shape.npy", npy_of(std::span(shape)));
  archive.add("data.npy", npy_of(std::span(X.val)));
  archive.finish();
}

void write_labels(const Dataset& data, const std::string& path) {
  AtomicFile file(path);
  if (!has_id(data, "id")) file.write("id,label\n");
  for (Index i = 0; i < data.nodes; ++i) {
    const std::int32_t label = data.labels[static_cast<std::size_t>(i)];
    if (label == kUnlabelled) continue;
    file.write(csv_field(data.id(i)) + "," +
               csv_field(data.classes[static_cast<std::size_t>(label)]) + "\n");
  }
  file.become_target();
}

}  // namespace

std::vector<std::pair<std::string, const std::vector<NodeId>*>> split_parts(const Dataset& data) {
  std::vector<std::pair<std::string, const std::vector<NodeId>*>> out;
  for (const Split& split : data.splits) {
    const std::string rate = split.labels_per_class == 0 ? "" : cat(split.labels_per_class);
    const std::vector<NodeId>* const parts[] = {&split.train, &split.val, &split.test};
    for (std::size_t role = 0; role < kSplitRoles.size(); ++role)
      out.emplace_back(cat(kSplitRoles[role], rate), parts[role]);
  }
  return out;
}

void write_splits(const Dataset& data, const std::string& folder) {
  for (const auto& [name, nodes] : split_parts(data)) {
    if (nodes->empty()) continue;
    AtomicFile file(cat(folder, "/", name, ".txt"));
    for (const NodeId node : *nodes) file.write(split_line(data.id(node)) + "\n");
    file.become_target();
  }
}

void write_folder(const Dataset& data, const std::string& folder) {
  write_edges(data, data.edges, folder + "/edges.csv");
  if (has_own_graph(data))
    write_edges(data, data.knn_files.at(kOwnGraph), folder + "/features.knn.csv");
  write_features(data.features, folder + "/features.npz");
  if (!data.ids.empty()) write_names(folder + "/ids.txt", data.ids);
  if (!data.classes.empty()) write_names(folder + "/classes.txt", data.classes);
  const auto labelled = [](std::int32_t label) { return label != kUnlabelled; };
  if (std::ranges::any_of(data.labels, labelled)) write_labels(data, folder + "/labels.csv");
  write_splits(data, folder);
}

std::string file_stem(const Dataset& data) {
  std::string stem = data.name;
  std::ranges::replace(stem, '/', '-');
  while (stem.starts_with('.')) stem.erase(0, 1);
  return stem.empty() ? "data" : stem;
}

bool is_name_of_a_part(std::string_view name) {
  for (const std::string_view own :
       {"edges.csv", "features.npz", "features.knn.csv", "ids.txt", "classes.txt", "labels.csv"})
    if (name == own) return true;
  for (const std::string_view ending : {".edge", ".feature", ".label"})
    if (name.ends_with(ending)) return true;
  if (name.starts_with("ind.") || (name.starts_with("knn/c") && name.ends_with(".txt")))
    return true;
  return name.ends_with(".txt") && parse_split_name(name.substr(0, name.size() - 4)).has_value();
}

}  // namespace scrl
