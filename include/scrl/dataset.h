// scrl/dataset.h: a graph with sparse features and some labels.
//
// Nodes are numbered 0..nodes-1 in the order of the file that defines them; `ids` gives the names
// the user knows them by. Nothing is dropped on loading: isolated nodes, unlabelled nodes, empty
// feature rows, repeated edges and self-loops are all kept, and decided on where they matter.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scrl/csr.h"

namespace scrl {

inline constexpr std::int32_t kUnlabelled = -1;

// Every row of the edge file, in file order; nothing merged, nothing mirrored.
struct Edges {
  std::vector<NodeId> source, target;
  std::vector<float> weight;  // empty: every weight is 1

  Index size() const { return static_cast<Index>(source.size()); }
};

struct Split {
  int labels_per_class = 0;  // the rate in the file name ("train20.txt" -> 20); 0: the only split
  std::vector<NodeId> train, val, test;  // file order; val is often empty
};

// The two large parts may belong to the caller instead: `lent_features` and `lent_edges` stand for
// `features` and `edges`, which are then empty.
struct Dataset {
  std::string name;    // "acm"; for outputs
  std::string source;  // what the user gave, so that predict can find it again
  Index nodes = 0;
  std::vector<std::string> ids;  // empty: the id of node i is the number i
  Edges edges;
  Csr features;                          // nodes x d
  std::vector<std::int32_t> labels;      // class number or kUnlabelled
  std::vector<std::string> classes;      // class names by number
  std::vector<Split> splits;             // ascending by labels_per_class
  std::map<int, Edges> knn_files;        // feature graphs by k; 0: the user's own
  std::optional<CsrView> lent_features;  // nodes x d
  std::optional<CsrView> lent_edges;     // nodes x nodes: each entry is an edge with its weight

  std::string id(Index node) const {
    return ids.empty() ? std::to_string(node) : ids[static_cast<std::size_t>(node)];
  }
  Index num_classes() const { return static_cast<Index>(classes.size()); }
};

struct LoadOptions {
  bool use_cache = true;  // read and write the binary copy
};

// Reads a data set. `what` is, in this order: "demo" or "demo:key=value,...", an existing folder,
// .zip, .npz or .graphml file, or a name looked up below $SCRL_DATA (docs/formats.md). A binary
// copy is kept below $SCRL_CACHE, else $XDG_CACHE_HOME/scrl, else ~/.cache/scrl; SCRL_CACHE=off
// keeps none. Throws Error(kData) naming file and line.
Dataset load_dataset(const std::string& what, const LoadOptions& options = {});

}  // namespace scrl
