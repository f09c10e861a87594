#include "data/dataset.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <unordered_set>

#include "base/error.h"
#include "base/hash.h"
#include "data/knn_file.h"
#include "io/line_reader.h"
#include "io/utf8.h"

namespace scrl {
namespace {

// Every part is preceded by its size, so that no two data sets feed the same bytes.
void add(Hasher& hash, const std::vector<std::string>& texts) {
  hash.number(texts.size());
  for (const std::string& text : texts) hash.text(text);
}

void add_weights(Hasher& hash, std::span<const float> weights) {
  // Weights that are all 1 mean the same as none.
  const bool plain = std::ranges::all_of(weights, [](float weight) { return weight == 1; });
  hash.array(plain ? std::span<const float>{} : weights);
}

void add(Hasher& hash, const Edges& edges) {
  hash.array(edges.source).array(edges.target);
  add_weights(hash, edges.weight);
}

// value(i) for i below `size` as an array of T, without that array.
template <class T, class Value>
void add_values(Hasher& hash, std::size_t size, const Value& value) {
  constexpr std::size_t kChunk = 4096;
  hash.number(size);
  std::array<T, kChunk> chunk;
  for (std::size_t begin = 0; begin < size; begin += kChunk) {
    const std::size_t count = std::min(kChunk, size - begin);
    for (std::size_t i = 0; i < count; ++i) chunk[i] = static_cast<T>(value(begin + i));
    hash.bytes(chunk.data(), count * sizeof(T));
  }
}

// A list of the entries, row by row.
void add_as_edges(Hasher& hash, const CsrView& a) {
  std::size_t row = 0;
  add_values<NodeId>(hash, a.col.size(), [&](std::size_t e) {
    while (a.row_ptr[row + 1] <= static_cast<Index>(e)) ++row;
    return row;
  });
  add_values<NodeId>(hash, a.col.size(), [&](std::size_t e) { return a.col[e]; });
  add_weights(hash, a.val);
}

constexpr double kLargestDegree = 1e38;  // twice the sum of weights, and a loop, still are floats

template <class... Parts>
void require(bool ok, const Dataset& data, const Parts&... parts) {
  if (!ok) fail(ErrorKind::kData, data.source.empty() ? data.name : data.source, ": ", parts...);
}

void validate_edges(const Dataset& data, const Edges& edges, const std::string& what) {
  require(edges.source.size() == edges.target.size() &&
              (edges.weight.empty() || edges.weight.size() == edges.source.size()),
          data, what, ": sources, targets and weights differ in number");
  for (std::size_t e = 0; e < edges.source.size(); ++e) {
    for (const NodeId node : {edges.source[e], edges.target[e]}) {
      require(node >= 0 && node < data.nodes, data, what, ": edge ", e,
              ": expected a node number 0..", data.nodes - 1, ", found ", node);
    }
  }
  for (std::size_t e = 0; e < edges.weight.size(); ++e)
    require(std::isfinite(edges.weight[e]), data, what, ": edge ", e,
            ": expected a finite weight, found ", edges.weight[e]);
  if (edges.weight.empty()) return;
  std::vector<double> degree(static_cast<std::size_t>(data.nodes));
  for (std::size_t e = 0; e < edges.source.size(); ++e) {
    degree[static_cast<std::size_t>(edges.source[e])] += std::abs(edges.weight[e]);
    degree[static_cast<std::size_t>(edges.target[e])] += std::abs(edges.weight[e]);
  }
  for (Index i = 0; i < data.nodes; ++i)
    require(degree[static_cast<std::size_t>(i)] <= kLargestDegree, data, what,
            ": the weights at node ", data.id(i), " add up to ",
            degree[static_cast<std::size_t>(i)], ", expected at most ", kLargestDegree,
            "; multiply all weights by a small number");
}

// Names go into JSON, TOML, CSV and onto terminals, and stand for one thing each.
void validate_names(const Dataset& data, const std::vector<std::string>& names, const char* what) {
  std::unordered_set<std::string_view> seen;
  for (const std::string& name : names) {
    require(is_utf8(name) && std::ranges::none_of(name, is_control), data, what, " ", shown(name),
            ": expected UTF-8 without control characters");
    require(seen.insert(name).second, data, what, " ", shown(name), " stands for two");
  }
}

// `part_of` marks the nodes of earlier parts of the same split.
void validate_part(const Dataset& data, const std::string& split, const char* part,
                   const std::vector<NodeId>& nodes, std::vector<const char*>& part_of) {
  for (const NodeId node : nodes) {
    require(node >= 0 && node < data.nodes, data, split, part, ": expected a node number 0..",
            data.nodes - 1, ", found ", node);
    const char*& earlier = part_of[static_cast<std::size_t>(node)];
    require(earlier != part, data, split, part, ": node ", data.id(node), " is listed twice");
    require(earlier == nullptr, data, split, part, ": node ", data.id(node), " is also in the ",
            earlier == nullptr ? "" : earlier, " part");
    earlier = part;
  }
}

}  // namespace

std::string fingerprint(const Dataset& data) {
  Hasher hash;
  hash.number(static_cast<std::uint64_t>(data.nodes));
  add(hash, data.ids);
  data.lent_edges ? add_as_edges(hash, *data.lent_edges) : add(hash, data.edges);
  const CsrView X = features_of(data);
  hash.number(static_cast<std::uint64_t>(X.rows));
  hash.number(static_cast<std::uint64_t>(X.cols));
  add_values<Index>(hash, X.row_ptr.size(), [&](std::size_t i) { return X.row_ptr[i]; });
  add_values<NodeId>(hash, X.col.size(), [&](std::size_t e) { return X.col[e]; });
  hash.array(X.val);
  hash.array(data.labels);
  add(hash, data.classes);
  hash.number(data.splits.size());
  for (const Split& split : data.splits) {
    hash.number(static_cast<std::uint64_t>(split.labels_per_class));
    hash.array(split.train);
    hash.array(split.val);
    hash.array(split.test);
  }
  hash.number(data.knn_files.size());
  for (const auto& [k, edges] : data.knn_files) {
    hash.number(static_cast<std::uint64_t>(k));
    add(hash, edges);
  }
  return hash.hex();
}

Dataset with_own_arrays(Dataset data) {
  const std::string where = data.source.empty() ? data.name : data.source;
  if (data.lent_features) {
    validate(*data.lent_features, cat(where, ": features").c_str());
    data.features = own_copy(*data.lent_features);
    data.lent_features.reset();
  }
  if (data.lent_edges) {
    validate(*data.lent_edges, cat(where, ": edges").c_str());
    Csr from = own_copy(*data.lent_edges);
    Edges& to = data.edges;
    to = {};
    for (Index i = 0; i < from.rows; ++i)
      to.source.insert(to.source.end(), static_cast<std::size_t>(from.row_nnz(i)),
                       static_cast<NodeId>(i));
    to.target = std::move(from.col);
    to.weight = std::move(from.val);
    data.lent_edges.reset();
  }
  return data;
}

void validate(const Dataset& data) {
  const auto size = [](const auto& values) { return static_cast<Index>(values.size()); };
  require(data.nodes >= 1 && data.nodes <= kMaxNodes, data, "expected 1..", kMaxNodes,
          " nodes, found ", data.nodes);
  require(data.ids.empty() || size(data.ids) == data.nodes, data, "expected ", data.nodes,
          " node ids, found ", data.ids.size());
  validate_names(data, data.ids, "node id");
  validate_names(data, data.classes, "class");
  const std::string where = data.source.empty() ? data.name : data.source;
  const CsrView X = features_of(data);
  validate(X, cat(where, ": features").c_str());
  require(X.rows == data.nodes, data, "features: expected ", data.nodes, " rows, found ", X.rows);
  require(size(data.labels) == data.nodes, data, "labels: expected ", data.nodes, ", found ",
          data.labels.size());
  for (Index i = 0; i < data.nodes; ++i) {
    const std::int32_t label = data.labels[static_cast<std::size_t>(i)];
    require(label >= kUnlabelled && label < data.num_classes(), data, "label of node ", data.id(i),
            ": expected a class number 0..", data.num_classes() - 1, ", found ", label);
  }
  validate_edges(data, data.edges, "edges");
  if (data.lent_edges) {
    const CsrView& lent = *data.lent_edges;
    validate(lent, cat(where, ": edges").c_str());
    require(lent.rows == data.nodes && lent.cols == data.nodes, data, "edges: expected ",
            data.nodes, "x", data.nodes, ", found ", lent.rows, "x", lent.cols);
  }
  require(!data.lent_edges || data.edges.size() == 0, data,
          "edges: expected its own or lent ones, found both");
  require(!data.lent_features || data.features.nnz() == 0, data,
          "features: expected its own or lent ones, found both");
  for (const auto& [k, edges] : data.knn_files) {
    require(k >= kOwnGraph, data, "knn/c", k, ": expected k of at least 1");
    validate_edges(data, edges, k == kOwnGraph ? "features.knn" : cat("knn/c", k));
  }
  for (const Split& split : data.splits) {
    require(split.labels_per_class >= 0, data, "split ", split.labels_per_class,
            ": expected a number of labels per class of at least 0");
    const std::string name =
        split.labels_per_class == 0 ? "split " : cat("split ", split.labels_per_class, " ");
    std::vector<const char*> part_of(static_cast<std::size_t>(data.nodes), nullptr);
    validate_part(data, name, "train", split.train, part_of);
    validate_part(data, name, "val", split.val, part_of);
    validate_part(data, name, "test", split.test, part_of);
    require(!split.train.empty(), data, name, "train: expected nodes, found none");
    for (const auto& [part, nodes] :
         {std::pair{"train", &split.train}, {"val", &split.val}, {"test", &split.test}})
      for (const NodeId node : *nodes)
        require(data.labels[static_cast<std::size_t>(node)] != kUnlabelled, data, name, part,
                ": node ", data.id(node),
                " has no label and can be neither learnt from nor scored; ",
                "leave it out, it is predicted all the same");
  }
}

}  // namespace scrl
