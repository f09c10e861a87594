#include "data/amgcn.h"

#include <algorithm>

#include "data/dense_features.h"
#include "data/edge_list.h"
#include "data/splits.h"
#include "io/fields.h"

namespace scrl {
namespace {

bool has_ending(std::string_view name, std::string_view ending) {
  if (name.ends_with(".gz")) name.remove_suffix(3);
  return name.ends_with(ending);
}

// The only file with this ending.
std::string find_file(const Source& source, std::string_view ending) {
  std::string found;
  for (const SourceFile& file : source.files()) {
    if (!has_ending(file.name, ending)) continue;
    if (!found.empty()) {
      fail(ErrorKind::kData, source.path(), ": expected one *", ending, " file, found both ", found,
           " and ", file.name);
    }
    found = file.name;
  }
  if (found.empty()) {
    fail(ErrorKind::kData, source.path(), ": expected a *", ending,
         " file beside those of the AM-GCN layout (*.edge, *.feature, *.label), found none");
  }
  return found;
}

void read_labels(const Source& source, const std::string& file, Dataset& data) {
  LineReader reader(source.open(file));
  std::vector<Index> line_of;
  while (reader.next()) {
    reader.refuse_gap("a class number");
    Index label = 0;
    const std::string_view text = trimmed(reader.line());
    if (!parse_int(text, label) || label < kUnlabelled || label > kMaxNodes) {
      reader.fail("expected a class number (-1: unlabelled), found ", shown(text));
    }
    data.labels.push_back(static_cast<std::int32_t>(label));
    line_of.push_back(reader.line_number());
    if (static_cast<Index>(data.labels.size()) > kMaxNodes) reader.fail("too many nodes");
  }
  if (data.labels.empty()) fail(ErrorKind::kData, reader.name(), ": expected labels, found none");
  data.nodes = static_cast<Index>(data.labels.size());
  const auto largest = std::max_element(data.labels.begin(), data.labels.end());
  // There cannot be more classes than nodes, whatever a typing error says.
  if (*largest >= data.nodes) {
    reader.fail_at(line_of[static_cast<std::size_t>(largest - data.labels.begin())],
                   "expected a class number below the number of nodes, ", data.nodes, ", found ",
                   *largest);
  }
  for (std::int32_t c = 0; c <= *largest; ++c) data.classes.push_back(cat(c));
}

// "knn/c5.txt" -> 5; 0: no such file.
int knn_size(std::string_view name) {
  if (name.ends_with(".gz")) name.remove_suffix(3);
  const std::size_t at = name.rfind("knn/c");
  if (at == name.npos || (at > 0 && name[at - 1] != '/') || !name.ends_with(".txt")) return 0;
  name.remove_prefix(at + 5);
  name.remove_suffix(4);
  Index k = 0;
  return parse_int(name, k) && k > 0 && k <= 1'000'000 ? static_cast<int>(k) : 0;
}

}  // namespace

bool is_amgcn(const Source& source) {
  return std::any_of(source.files().begin(), source.files().end(), [](const SourceFile& f) {
    return has_ending(f.name, ".label") || has_ending(f.name, ".feature") ||
           has_ending(f.name, ".edge");
  });
}

Dataset read_amgcn(const Source& source) {
  const std::string label_file = find_file(source, ".label");
  const std::string feature_file = find_file(source, ".feature");
  const std::string edge_file = find_file(source, ".edge");
  Dataset data;
  read_labels(source, label_file, data);
  IdMap ids = IdMap::numbers(data.nodes, "lines of " + label_file);

  auto stream = source.open(feature_file);
  const std::string feature_name = stream->name();
  data.features = read_dense_features(std::move(stream), DenseLayout::kNumbers).values;
  if (data.features.rows != data.nodes) {
    fail(ErrorKind::kData, feature_name, ": expected ", data.nodes, " rows (one per line of ",
         label_file, "), found ", data.features.rows);
  }
  data.edges = read_edge_list(source.open(edge_file), ids, UnknownId::kRefuse);
  data.splits = read_splits(source, ids);
  for (const SourceFile& file : source.files()) {
    const int k = knn_size(file.name);
    if (k == 0) continue;
    const auto [at, is_new] = data.knn_files.try_emplace(k);
    if (!is_new) fail(ErrorKind::kData, source.path(), ": two feature graphs for k = ", k);
    at->second = read_edge_list(source.open(file.name), ids, UnknownId::kRefuse);
  }
  return data;
}

}  // namespace scrl
