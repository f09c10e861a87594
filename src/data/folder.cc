#include "data/folder.h"

#include <algorithm>
#include <optional>

#include "data/edge_list.h"
#include "data/feature_file.h"
#include "data/knn_file.h"
#include "data/labels.h"
#include "data/splits.h"
#include "io/fields.h"

namespace scrl {
namespace {

constexpr std::string_view kUnderstood =
    "edges.{csv,tsv,txt,edges,edgelist}, "
    "features.{csv,tsv,txt,svm,svmlight,libsvm,mtx,npz,npy}, labels.{csv,tsv,txt}, "
    "train/val/test.{csv,tsv,txt}, features.knn.{csv,tsv,txt}, ids.txt, classes.txt";

using Names = std::initializer_list<std::string_view>;

// "features.csv.gz" -> "csv" when the stem is one of `stems`; empty otherwise.
std::string_view extension_of(std::string_view name, Names stems) {
  if (name.ends_with(".gz")) name.remove_suffix(3);
  for (const std::string_view stem : stems) {
    if (name.starts_with(stem) && name.substr(stem.size()).starts_with('.')) {
      return name.substr(stem.size() + 1);
    }
  }
  return {};
}

// The only file called one of `stems` with one of `extensions`; empty when there is none.
std::string find_role(const Source& source, Names stems, Names extensions) {
  std::string found;
  for (const SourceFile& file : source.files()) {
    const std::string_view extension = extension_of(file.name, stems);
    if (extension.empty() ||
        std::find(extensions.begin(), extensions.end(), extension) == extensions.end()) {
      continue;
    }
    if (!found.empty()) {
      fail(ErrorKind::kData, source.path(), ": expected one ", *stems.begin(), " file, found both ",
           found, " and ", file.name);
    }
    found = file.name;
  }
  return found;
}

[[noreturn]] void missing(const Source& source, std::string_view role) {
  std::string found;
  constexpr std::size_t kShown = 8;
  for (std::size_t i = 0; i < source.files().size() && i < kShown; ++i) {
    found += cat(i == 0 ? "" : ", ", source.files()[i].name);
  }
  if (source.files().size() > kShown) found += ", ...";
  fail(ErrorKind::kData, source.path(), ": expected a file with the ", role, ", found ",
       found.empty() ? "no files" : found, "; understood names: ", kUnderstood);
}

// `what`: "node id", one per line.
IdMap read_names(std::unique_ptr<ByteStream> stream, const std::string& what) {
  LineReader reader(std::move(stream));
  IdMap ids;
  while (reader.next()) {
    reader.refuse_gap(cat("a ", what));
    const std::string id = unquoted(trimmed(reader.line()));
    check_name(id, what == "class" ? "class" : "id", reader, reader.line_number());
    const Index before = ids.size();
    if (ids.add(id) != before) reader.fail(what, " ", shown(id), " is listed twice");
  }
  if (ids.size() == 0)
    fail(ErrorKind::kData, reader.name(), ": expected ", what == "class" ? "classes" : "node ids",
         ", found none");
  return ids;
}

// Puts the rows of keyed features where their nodes are; nodes without a row get an empty one.
Csr rows_in_node_order(const FeatureRows& rows, const IdMap& ids, const std::string& file) {
  std::vector<Index> row_of(static_cast<std::size_t>(ids.size()), -1);
  for (Index row = 0; row < rows.values.rows; ++row) {
    const std::string name = rows.ids.name(row);
    const auto node = ids.find(name);
    if (!node)
      fail(ErrorKind::kData, file, ": node id ", shown(name), " is not in the list of ids");
    row_of[static_cast<std::size_t>(*node)] = row;
  }
  Csr out{.rows = ids.size(), .cols = rows.values.cols};
  for (const Index row : row_of) {
    if (row >= 0) {
      const auto columns = rows.values.row_cols(row);
      const auto values = rows.values.row_vals(row);
      out.col.insert(out.col.end(), columns.begin(), columns.end());
      out.val.insert(out.val.end(), values.begin(), values.end());
    }
    out.row_ptr.push_back(out.nnz());
  }
  return out;
}

class FolderReader {
 public:
  explicit FolderReader(const Source& source) : source_(source) {}

  Dataset read() {
    find_files();
    FeatureRows features =
        read_features(source_, features_file_, extension_of(features_file_, {"features"}));
    std::optional<LabelRows> labels;
    if (!labels_file_.empty()) labels = read_label_rows(source_.open(labels_file_));

    const bool listed = !ids_file_.empty();
    IdMap ids = listed           ? read_names(source_.open(ids_file_), "node id")
                : features.keyed ? std::move(features.ids)
                                 : ids_of_rows(features.values.rows, labels);
    Dataset data;
    data.edges = read_edge_list(source_.open(edges_file_), ids,
                                features.keyed && !listed ? UnknownId::kAdd : UnknownId::kRefuse);
    data.nodes = ids.size();
    data.labels.assign(static_cast<std::size_t>(data.nodes), kUnlabelled);
    if (labels) {
      if (labels->maybe_header) resolve_header(*labels, first_row_is_of_a_node(*labels, ids));
      assign_labels(*labels, ids, data);
    }
    if (!classes_file_.empty()) read_classes(data);

    const std::string features_name = source_.open(features_file_)->name();
    if (features.keyed && listed) {
      data.features = rows_in_node_order(features, ids, features_name);
    } else {
      data.features = std::move(features.values);
      if (features.keyed) add_empty_rows(data.features, data.nodes);
    }
    if (data.features.rows != data.nodes) {
      fail(ErrorKind::kData, features_name, ": expected ", data.nodes, " rows (one per line of ",
           ids_file_, "), found ", data.features.rows);
    }
    data.splits = read_splits(source_, ids);
    if (!knn_file_.empty()) data.knn_files[kOwnGraph] = read_knn_file(source_.open(knn_file_), ids);
    data.ids = ids.names();
    return data;
  }

 private:
  void find_files() {
    edges_file_ = find_role(source_, {"edges"}, {"csv", "tsv", "txt", "edges", "edgelist"});
    features_file_ =
        find_role(source_, {"features"},
                  {"csv", "tsv", "txt", "svm", "svmlight", "libsvm", "mtx", "npz", "npy"});
    labels_file_ = find_role(source_, {"labels"}, {"csv", "tsv", "txt"});
    ids_file_ = find_role(source_, {"ids", "nodes"}, {"txt"});
    knn_file_ = find_role(source_, {"features.knn"}, {"csv", "tsv", "txt"});
    classes_file_ = find_role(source_, {"classes"}, {"txt"});
    if (edges_file_.empty()) missing(source_, "edges of the graph");
    if (features_file_.empty()) missing(source_, "features of the nodes");
  }

  void read_classes(Dataset& data) const {
    const IdMap names = read_names(source_.open(classes_file_), "class");
    std::vector<std::string> listed;
    for (Index c = 0; c < names.size(); ++c) listed.push_back(names.name(c));
    order_classes(std::move(listed), cat(source_.path(), "/", classes_file_), data);
  }

  // Features are not keyed: their rows are numbers, or named by as many labels.
  IdMap ids_of_rows(Index rows, std::optional<LabelRows>& labels) const {
    IdMap numbers =
        IdMap::numbers(rows, cat("rows of ", features_file_, "; ids.txt can give them names"));
    if (!labels || !labels->keyed) return numbers;
    const auto is_number = [&](Index row) {
      return numbers.find(labels->ids.name(row)).has_value();
    };
    const auto all_numbers = [&](Index from) {
      for (Index row = from; row < labels->ids.size(); ++row)
        if (!is_number(row)) return false;
      return true;
    };
    if (labels->maybe_header) {
      const bool names = labels->rows() == rows && !all_numbers(1);
      resolve_header(*labels, is_number(0) || (names && first_row_is_like_others(*labels)));
    }
    if (labels->rows() != rows || all_numbers(labels->first)) return numbers;
    IdMap ids;
    for (Index row = labels->first; row < labels->ids.size(); ++row) ids.add(labels->ids.name(row));
    return ids;
  }

  static void add_empty_rows(Csr& features, Index rows) {
    features.rows = rows;
    features.row_ptr.resize(static_cast<std::size_t>(rows + 1), features.nnz());
  }

  const Source& source_;
  std::string edges_file_, features_file_, labels_file_, ids_file_, classes_file_, knn_file_;
};

}  // namespace

Dataset read_folder(const Source& source) { return FolderReader(source).read(); }

}  // namespace scrl
