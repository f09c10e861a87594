#include "data/dataset.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <memory>
#include <span>

#include "base/error.h"

namespace scrl {
namespace {

// Every part is preceded by its size, so that no two data sets feed the same bytes.
class Hasher {
 public:
  Hasher() : state_(XXH3_createState(), XXH3_freeState) {
    check(state_ != nullptr, "not enough memory");
    XXH3_128bits_reset(state_.get());
  }

  void add(Index number) { XXH3_128bits_update(state_.get(), &number, sizeof number); }
  template <class T>
  void add(const std::vector<T>& values) {
    add(static_cast<Index>(values.size()));
    XXH3_128bits_update(state_.get(), values.data(), values.size() * sizeof(T));
  }
  void add(const std::vector<std::string>& texts) {
    add(static_cast<Index>(texts.size()));
    for (const std::string& text : texts) {
      add(static_cast<Index>(text.size()));
      XXH3_128bits_update(state_.get(), text.data(), text.size());
    }
  }
  void add(const Edges& edges) {
    add(edges.source);
    add(edges.target);
    // Weights that are all 1 mean the same as none.
    const bool plain = std::all_of(edges.weight.begin(), edges.weight.end(),
                                   [](float weight) { return weight == 1; });
    add(plain ? std::vector<float>{} : edges.weight);
  }

  std::string hex() const {
    XXH128_canonical_t bytes;
    XXH128_canonicalFromHash(&bytes, XXH3_128bits_digest(state_.get()));
    std::string out;
    for (const unsigned char byte : bytes.digest) {
      out += "0123456789abcdef"[byte >> 4];
      out += "0123456789abcdef"[byte & 15];
    }
    return out;
  }

 private:
  std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> state_;
};

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
  hash.add(data.nodes);
  hash.add(data.ids);
  hash.add(data.edges);
  hash.add(data.features.rows);
  hash.add(data.features.cols);
  hash.add(data.features.row_ptr);
  hash.add(data.features.col);
  hash.add(data.features.val);
  hash.add(data.labels);
  hash.add(data.classes);
  hash.add(static_cast<Index>(data.splits.size()));
  for (const Split& split : data.splits) {
    hash.add(split.labels_per_class);
    hash.add(split.train);
    hash.add(split.val);
    hash.add(split.test);
  }
  hash.add(static_cast<Index>(data.knn_files.size()));
  for (const auto& [k, edges] : data.knn_files) {
    hash.add(k);
    hash.add(edges);
  }
  return hash.hex();
}

void validate(const Dataset& data) {
  const auto size = [](const auto& values) { return static_cast<Index>(values.size()); };
  require(data.nodes >= 1 && data.nodes <= kMaxNodes, data, "expected 1..", kMaxNodes,
          " nodes, found ", data.nodes);
  require(data.ids.empty() || size(data.ids) == data.nodes, data, "expected ", data.nodes,
          " node ids, found ", data.ids.size());
  validate(data.features, cat(data.source.empty() ? data.name : data.source, ": features").c_str());
  require(data.features.rows == data.nodes, data, "features: expected ", data.nodes,
          " rows, found ", data.features.rows);
  require(size(data.labels) == data.nodes, data, "labels: expected ", data.nodes, ", found ",
          data.labels.size());
  for (Index i = 0; i < data.nodes; ++i) {
    const std::int32_t label = data.labels[static_cast<std::size_t>(i)];
    require(label >= kUnlabelled && label < data.num_classes(), data, "label of node ", data.id(i),
            ": expected a class number 0..", data.num_classes() - 1, ", found ", label);
  }
  validate_edges(data, data.edges, "edges");
  for (const auto& [k, edges] : data.knn_files) validate_edges(data, edges, cat("knn/c", k));
  for (const Split& split : data.splits) {
    const std::string name =
        split.labels_per_class == 0 ? "split " : cat("split ", split.labels_per_class, " ");
    std::vector<const char*> part_of(static_cast<std::size_t>(data.nodes), nullptr);
    validate_part(data, name, "train", split.train, part_of);
    validate_part(data, name, "val", split.val, part_of);
    validate_part(data, name, "test", split.test, part_of);
    require(!split.train.empty(), data, name, "train: expected nodes, found none");
    for (const NodeId node : split.train) {
      require(data.labels[static_cast<std::size_t>(node)] != kUnlabelled, data, name,
              "train: node ", data.id(node), " has no label");
    }
  }
}

}  // namespace scrl
