// run/inspect.h: the facts of a data set, and what is odd about it.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "config/json.h"
#include "data/dataset.h"
#include "graph/stats.h"
#include "train/options.h"

namespace scrl {

struct FeatureFacts {
  Index columns = 0, stored = 0, empty_rows = 0, unused_columns = 0;
  double per_node = 0;
  bool binary = true, negative = false;
};

// Sizes, degrees, classes, splits, homophily of the topology and of the feature graph, and a list
// of warnings, each with what to do about it. docs/formats.md names the fields.
struct Inspection {
  struct ClassSize {
    std::string name;
    Index nodes = 0;
  };
  struct SplitSize {
    int labels_per_class = 0;
    std::size_t train = 0, val = 0, test = 0;
  };
  struct KnnFile {
    int k = 0;
    Index lines = 0;
  };
  std::string dataset, fingerprint;
  Index nodes = 0, unlabelled = 0;
  bool own_ids = false;
  FeatureFacts features;
  EdgeStats edge_file;
  GraphStats topology;
  std::optional<GraphStats> feature_graph;  // none where there are no features
  int k = 0;                                // of the feature graph
  FeatureGraph knn = FeatureGraph::kUnion;
  std::vector<ClassSize> classes;
  std::vector<SplitSize> splits;
  std::vector<KnnFile> knn_files;
  std::vector<std::string> warnings;
};
Json to_json(const Inspection& facts);

Inspection inspect(const Dataset& data, const GraphOptions& graph);
// The same with the feature graph already made; none where there are no features.
Inspection inspect(const Dataset& data, const GraphOptions& graph,
                   const std::optional<Csr>& features);

}  // namespace scrl
