#include "data/npz_graph.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "data/csr_parts.h"
#include "data/features_numpy.h"
#include "data/knn_file.h"
#include "data/splits.h"
#include "io/fields.h"
#include "io/npy.h"
#include "io/npy_write.h"

namespace scrl {
namespace {

std::string entry(std::string_view name) { return cat(name, ".npy"); }

class NpzGraphReader {
 public:
  explicit NpzGraphReader(const Source& arrays) : arrays_(arrays) {}

  Dataset read() {
    read_features();
    read_edges();
    read_labels();
    if (has_texts("node_names")) {
      data_.ids = open("node_names").texts();
      expect(std::ssize(data_.ids) == data_.nodes, "node_names: expected ", data_.nodes,
             " texts, one per row of the features, found ", data_.ids.size());
      drop_natural_ids();
    }
    read_splits();
    return std::move(data_);
  }

 private:
  bool has(std::string_view name) const { return arrays_.has(entry(name)); }
  NpyReader open(std::string_view name) const {
    expect(has(name), "expected an array '", name, "', found none");
    return NpyReader(arrays_.open(entry(name)));
  }
  // The first of these that is there; empty: none is.
  std::string first_of(std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names)
      if (has(name)) return std::string(name);
    return {};
  }
  bool has_texts(std::string_view name) const {
    return has(name) && !npy_of_objects(*arrays_.open(entry(name)));
  }
  template <class... Parts>
  void expect(bool ok, const Parts&... parts) const {
    if (!ok) fail(ErrorKind::kData, arrays_.path(), ": ", parts...);
  }

  template <class T>
  std::vector<T> vector(std::string_view name) const {
    NpyReader reader = open(name);
    expect(reader.header().shape.size() == 1, name, ": expected one dimension, found ",
           reader.header().shape.size());
    return reader.rest<T>();
  }

  Csr csr(const std::string& prefix) const {
    const std::vector<Index> shape = vector<Index>(prefix + "_shape");
    expect(shape.size() == 2, prefix, "_shape: expected two sizes, found ", shape.size());
    CsrParts parts{.rows = shape[0], .cols = shape[1]};
    parts.indptr = vector<Index>(prefix + "_indptr");
    parts.indices = vector<Index>(prefix + "_indices");
    parts.data = vector<float>(prefix + "_data");
    return csr_from_parts(std::move(parts), cat(arrays_.path(), ": ", prefix));
  }

  void read_features() {
    if (has("attr_indptr")) {
      data_.features = csr("attr");
    } else {
      const std::string name = first_of({"node_feat", "features", "x"});
      expect(!name.empty(),
             "expected an array node_feat, features or x, or attr_data, "
             "attr_indices, attr_indptr and attr_shape; found no features");
      data_.features = read_features_array(NpyReader(arrays_.open(entry(name))));
    }
    data_.nodes = data_.features.rows;
    expect(data_.nodes > 0, "expected one row of features per node, found no rows");
  }

  std::vector<NodeId> nodes(const std::vector<Index>& numbers, std::string_view what) const {
    std::vector<NodeId> out;
    out.reserve(numbers.size());
    for (const Index i : numbers) {
      expect(i >= 0 && i < data_.nodes, what, ": expected a node number 0..", data_.nodes - 1,
             ", found ", i);
      out.push_back(static_cast<NodeId>(i));
    }
    return out;
  }

  // Edges by name, with weights if there are some.
  Edges weighted(const std::string& name, const std::string& weights) const {
    Edges edges = pairs(name);
    if (has(weights)) edges.weight = vector<float>(weights);
    expect(edges.weight.empty() || edges.weight.size() == edges.source.size(), weights,
           ": expected ", edges.source.size(), " weights, found ", edges.weight.size());
    return check_weights(std::move(edges));
  }

  // Weights that are all 1 are none.
  Edges check_weights(Edges edges) const {
    for (const float w : edges.weight)
      expect(std::isfinite(w) && w > 0, "edge weights: expected finite numbers above 0, found ", w);
    if (std::ranges::all_of(edges.weight, [](float w) { return w == 1; })) edges.weight.clear();
    return edges;
  }

  // (2, E), one row after the other, or column by column in Fortran order.
  Edges pairs(std::string_view name) const {
    NpyReader reader = open(name);
    const NpyHeader header = reader.header();
    expect(header.shape.size() == 2 && header.shape[0] == 2, name,
           ": expected an array of shape (2, edges)");
    const std::vector<NodeId> all = nodes(reader.rest<Index>(), name);
    Edges edges;
    const auto half = static_cast<std::ptrdiff_t>(all.size() / 2);
    if (!header.fortran_order) {
      edges.source.assign(all.begin(), all.begin() + half);
      edges.target.assign(all.begin() + half, all.end());
      return edges;
    }
    for (std::size_t e = 0; e < all.size(); ++e)
      (e % 2 == 0 ? edges.source : edges.target).push_back(all[e]);
    return edges;
  }

  void read_edges() {
    Edges& edges = data_.edges;
    if (has("edge_index")) {
      edges = weighted("edge_index", "edge_weight");
    } else {
      Csr a = csr("adj");
      expect(a.rows == data_.nodes && a.cols == data_.nodes, "adj_shape: expected ", data_.nodes,
             "x", data_.nodes, " like the features, found ", a.rows, "x", a.cols);
      for (Index i = 0; i < a.rows; ++i)
        edges.source.insert(edges.source.end(), static_cast<std::size_t>(a.row_nnz(i)),
                            static_cast<NodeId>(i));
      edges.target = std::move(a.col);
      edges.weight = std::move(a.val);
      edges = check_weights(std::move(edges));
    }
    for (const SourceFile& file : arrays_.files()) {
      Index k = 0;
      std::string_view name = file.name;
      if (!name.starts_with("knn") || !name.ends_with(".npy")) continue;
      name = name.substr(3, name.size() - 7);
      if (parse_int(name, k) && k >= kOwnGraph && k <= 1000)
        data_.knn_files[static_cast<int>(k)] = weighted(cat("knn", k), cat("knn", k, "_weight"));
    }
  }

  void read_labels() {
    const std::string name = first_of({"labels", "node_label", "y"});
    if (name.empty()) {
      data_.labels.assign(static_cast<std::size_t>(data_.nodes), kUnlabelled);
    } else {
      data_.labels = read_label_array(arrays_, name);
      expect(std::ssize(data_.labels) == data_.nodes, name, ": expected ", data_.nodes,
             " labels, one per row of the features, found ", data_.labels.size());
    }
    if (!has_texts("class_names")) return name_classes_by_number(data_, arrays_.path());
    data_.classes = open("class_names").texts();
    for (const std::int32_t c : data_.labels)
      expect(c < data_.num_classes(), name, ": expected class numbers 0..", data_.num_classes() - 1,
             ", those of class_names, found ", c);
  }

  void drop_natural_ids() {
    for (Index i = 0; i < data_.nodes; ++i)
      if (data_.ids[static_cast<std::size_t>(i)] != std::to_string(i)) return;
    data_.ids.clear();
  }

  void read_splits() {
    SplitParts parts;
    for (const SourceFile& file : arrays_.files()) {
      const std::string_view name = file.name;
      if (!name.ends_with(".npy")) continue;
      const std::string_view stem = name.substr(0, name.size() - 4);
      if (const auto role = parse_split_name(stem))
        parts[role->rate][role->role] = nodes(vector<Index>(stem), stem);
    }
    data_.splits = splits_of(std::move(parts), arrays_.path());
  }

  const Source& arrays_;
  Dataset data_;
};

}  // namespace

bool is_npz_graph(const Source& arrays) {
  return arrays.has(entry("edge_index")) || arrays.has(entry("adj_indptr"));
}

Dataset read_npz_graph(const Source& arrays) { return NpzGraphReader(arrays).read(); }

std::vector<std::int32_t> read_label_array(const Source& arrays, const std::string& name) {
  const auto refuse = [&](const auto&... parts) {
    fail(ErrorKind::kData, arrays.path(), ": ", name, ": ", parts...);
  };
  NpyReader reader(arrays.open(entry(name)));
  const std::vector<Index>& shape = reader.header().shape;
  if (shape.size() > 2 || shape.empty() || (shape.size() == 2 && shape[1] != 1))
    refuse("expected one label per node, found an array of ", shape.size(), " dimensions");
  std::vector<std::int32_t> labels;
  const auto add = [&](auto value) {
    if (!(value >= 0)) return labels.push_back(kUnlabelled);  // or not a number
    if (!(value < kMaxNodes)) refuse("expected class numbers below ", kMaxNodes, ", found ", value);
    const auto number = static_cast<std::int32_t>(value);
    if (static_cast<decltype(value)>(number) != value)
      refuse("expected whole numbers, found ", value);
    labels.push_back(number);
  };
  if (reader.header().kind == 'f')
    for (const float value : reader.rest<float>()) add(value);
  else
    for (const Index value : reader.rest<Index>()) add(value);
  return labels;
}

void name_classes_by_number(Dataset& data, const std::string& where) {
  const std::int32_t largest = *std::ranges::max_element(data.labels);
  if (largest >= data.nodes)
    fail(ErrorKind::kData, where, ": labels: expected class numbers below ", data.nodes,
         ", the number of nodes, found ", largest);
  data.classes.clear();
  for (std::int32_t c = 0; c <= largest; ++c) data.classes.push_back(std::to_string(c));
}

}  // namespace scrl
