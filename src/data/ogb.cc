#include "data/ogb.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "data/dense_features.h"
#include "data/edge_list.h"
#include "data/npz_graph.h"
#include "data/splits.h"
#include "io/fields.h"

namespace scrl {
namespace {

// The file raw/STEM.csv.gz, with or without "raw/" and ".gz"; empty: there is none.
std::string find_table(const Source& source, const std::string& stem) {
  for (const char* folder : {"raw/", ""})
    for (const char* ending : {".csv.gz", ".csv"})
      if (const std::string name = cat(folder, stem, ending); source.has(name)) return name;
  return {};
}

std::string find_archive(const Source& source, const std::string& stem) {
  for (const char* folder : {"raw/", ""})
    if (const std::string name = cat(folder, stem, ".npz"); source.has(name)) return name;
  return {};
}

class OgbReader {
 public:
  explicit OgbReader(const Source& source) : source_(source) {}

  Dataset read() {
    if (const std::string archive = find_archive(source_, "data"); !archive.empty())
      read_archive(archive);
    else
      read_tables();
    read_splits();
    return std::move(data_);
  }

 private:
  std::string require_table(const std::string& stem) const {
    const std::string name = find_table(source_, stem);
    if (name.empty())
      fail(ErrorKind::kData, source_.path(), ": expected a file raw/", stem,
           ".csv.gz beside the others of the OGB layout, found none");
    return name;
  }

  std::unique_ptr<Source> open_archive(const std::string& name) const {
    const std::string path = source_.file_path(name);
    if (path.empty())
      fail(ErrorKind::kData, source_.path(), "/", name,
           ": an .npz file inside a zip archive is not supported; unpack the archive");
    return open_source(path);
  }

  void read_archive(const std::string& name) {
    const auto arrays = open_archive(name);
    if (!is_npz_graph(*arrays))
      fail(ErrorKind::kData, arrays->path(), ": expected an array edge_index, found none");
    data_ = read_npz_graph(*arrays);
    const std::string labels = find_archive(source_, "node-label");
    if (labels.empty()) return;
    const auto label_arrays = open_archive(labels);
    if (!label_arrays->has("node_label.npy"))
      fail(ErrorKind::kData, label_arrays->path(), ": expected an array node_label, found none");
    data_.labels = read_label_array(*label_arrays, "node_label");
    if (std::ssize(data_.labels) != data_.nodes)
      fail(ErrorKind::kData, label_arrays->path(), ": node_label: expected ", data_.nodes,
           " labels, one per node, found ", data_.labels.size());
    name_classes_by_number(data_, label_arrays->path());
  }

  void read_tables() {
    const std::string features = require_table("node-feat");
    auto stream = source_.open(features);
    const std::string where = stream->name();
    data_.features = read_dense_features(std::move(stream), DenseLayout::kNumbers).values;
    data_.nodes = data_.features.rows;
    if (const std::string sizes = find_table(source_, "num-node-list"); !sizes.empty())
      check_size(sizes, where);
    IdMap numbers = IdMap::numbers(data_.nodes, "rows of " + features);
    data_.edges = read_edge_list(source_.open(require_table("edge")), numbers, UnknownId::kRefuse);
    data_.labels.assign(static_cast<std::size_t>(data_.nodes), kUnlabelled);
    if (const std::string labels = find_table(source_, "node-label"); !labels.empty())
      read_labels(labels);
    name_classes_by_number(data_, source_.path());
  }

  void check_size(const std::string& file, const std::string& features) const {
    LineReader reader(source_.open(file));
    Index nodes = -1;
    while (reader.next()) {
      if (nodes >= 0)
        reader.fail("expected one line, the nodes of one graph; data sets of several graphs are ",
                    "not read");
      if (!parse_int(trimmed(reader.line()), nodes) || nodes < 1)
        reader.fail("expected a number of nodes, found ", shown(trimmed(reader.line())));
    }
    if (nodes != data_.nodes)
      fail(ErrorKind::kData, features, ": expected ", nodes, " rows, as ", file, " says, found ",
           data_.nodes);
  }

  void read_labels(const std::string& file) {
    LineReader reader(source_.open(file));
    Fields fields(Separator::kComma);
    Index row = 0;
    for (; reader.next(); ++row) {
      reader.refuse_gap("a class number");
      const auto& found = fields.split(reader);
      if (found.size() != 1)
        reader.fail("expected one class number per node, found ", found.size(),
                    " fields; data sets of several tasks are not read");
      if (row >= data_.nodes) reader.fail("expected ", data_.nodes, " lines, found more");
      float value = 0;
      if (!parse_float(found[0], value) ||
          (value >= 0 && (value != std::floor(value) || value >= static_cast<float>(kMaxNodes))))
        reader.fail("expected a class number (nan or -1: none), found ", shown(found[0]));
      if (value >= 0)
        data_.labels[static_cast<std::size_t>(row)] = static_cast<std::int32_t>(value);
    }
    if (row != data_.nodes)
      fail(ErrorKind::kData, reader.name(), ": expected ", data_.nodes,
           " lines, one per row of the features, found ", row);
  }

  // The one folder below split/.
  std::string split_folder() const {
    constexpr std::string_view kRoot = "split/";
    std::set<std::string> folders;
    for (const SourceFile& file : source_.files()) {
      const std::string_view name = file.name;
      if (!name.starts_with(kRoot)) continue;
      const std::size_t slash = name.find('/', kRoot.size());
      if (slash != name.npos) folders.emplace(name.substr(0, slash + 1));
    }
    if (folders.size() > 1)
      fail(ErrorKind::kData, source_.path(), ": expected one folder below split/, found both ",
           *folders.begin(), " and ", *std::next(folders.begin()), "; remove one");
    return folders.empty() ? std::string() : *folders.begin();
  }

  void read_splits() {
    const std::string folder = split_folder();
    if (folder.empty()) return;
    Split split;
    const IdMap numbers = IdMap::numbers(data_.nodes);
    for (const auto& [stem, nodes] :
         {std::pair{"train", &split.train}, {"valid", &split.val}, {"test", &split.test}}) {
      for (const char* ending : {".csv.gz", ".csv"})
        if (const std::string name = cat(folder, stem, ending); source_.has(name) && nodes->empty())
          *nodes = read_split_file(source_.open(name), numbers);
    }
    if (split.train.empty())
      fail(ErrorKind::kData, source_.path(), ": expected a file ", folder, "train.csv.gz, found ",
           "none");
    data_.splits.push_back(std::move(split));
  }

  const Source& source_;
  Dataset data_;
};

}  // namespace

bool is_ogb(const Source& source) {
  if (const std::string archive = find_archive(source, "data"); !archive.empty()) return true;
  return !find_table(source, "edge").empty() &&
         (!find_table(source, "node-feat").empty() || !find_table(source, "num-node-list").empty());
}

Dataset read_ogb(const Source& source) { return OgbReader(source).read(); }

}  // namespace scrl
