#include "run/inspect.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "base/error.h"
#include "eval/metrics.h"
#include "graph/adjacency.h"
#include "graph/stats.h"
#include "train/prepare.h"

namespace scrl {
namespace {

Json graph_json(const GraphStats& g) {
  return {{"edges", g.edges},
          {"self_loops", g.loops},
          {"isolated", g.isolated},
          {"mean_degree", g.mean_degree},
          {"median_degree", g.median_degree},
          {"max_degree", g.max_degree},
          {"distinct_degrees", g.distinct_degrees},
          {"components", g.components},
          {"homophily", g.labelled_edges > 0 ? Json(g.homophily) : Json(nullptr)}};
}

struct FeatureFacts {
  Index empty_rows = 0, empty_columns = 0;
  bool binary = true, negative = false;
};

FeatureFacts feature_facts(const Csr& X) {
  FeatureFacts f;
  std::vector<bool> used(static_cast<std::size_t>(X.cols));
  for (Index i = 0; i < X.rows; ++i) f.empty_rows += X.row_nnz(i) == 0;
  for (const NodeId c : X.col) used[c] = true;
  f.empty_columns = std::count(used.begin(), used.end(), false);
  for (const float v : X.val) {
    f.binary &= v == 1.0f;
    f.negative |= v < 0.0f;
  }
  return f;
}

// Node numbers that give the class away: in sorted files, ranges and ties by id leak labels.
bool sorted_by_class(const Dataset& d) {
  std::int32_t last = -1;
  Index changes = 0, labelled = 0;
  for (const std::int32_t y : d.labels) {
    if (y == kUnlabelled) continue;
    ++labelled;
    changes += y != last;
    last = y;
  }
  return labelled > 20 * d.num_classes() && changes <= 4 * d.num_classes();
}

class Warnings {
 public:
  template <class... Parts>
  void add(bool present, const Parts&... parts) {
    if (present) list_.push_back(cat(parts...));
  }
  Json json() const { return list_; }

 private:
  std::vector<std::string> list_;
};

}  // namespace

Json inspect(const Dataset& d, const GraphOptions& o) {
  std::optional<Csr> features;
  if (d.features.nnz() > 0) features = feature_graph(d, o);
  return inspect(d, o, features);
}

Json inspect(const Dataset& d, const GraphOptions& o, const std::optional<Csr>& features) {
  const EdgeStats rows = edge_stats(d.nodes, d.edges);
  const GraphStats topology = graph_stats(adjacency(d.nodes, d.edges, o.dup), d.labels);
  std::optional<GraphStats> knn;
  if (features) knn = graph_stats(*features, d.labels);
  const FeatureFacts f = feature_facts(d.features);

  std::vector<Index> per_class(static_cast<std::size_t>(d.num_classes()));
  Index unlabelled = 0;
  for (const std::int32_t y : d.labels) y == kUnlabelled ? ++unlabelled : ++per_class[y];

  Json j;
  j["schema"] = 1;
  j["dataset"] = d.name;
  j["nodes"] = d.nodes;
  j["own_ids"] = !d.ids.empty();
  j["fingerprint"] = fingerprint(d);
  j["features"] = {{"columns", d.features.cols},
                   {"stored", d.features.nnz()},
                   {"per_node", static_cast<double>(d.features.nnz()) /
                                    static_cast<double>(std::max<Index>(1, d.nodes))},
                   {"binary", f.binary},
                   {"empty_rows", f.empty_rows},
                   {"unused_columns", f.empty_columns}};
  j["edge_file"] = {{"rows", rows.rows},
                    {"distinct", rows.distinct},
                    {"repeated", rows.duplicates},
                    {"one_directional", rows.one_directional}};
  j["topology"] = graph_json(topology);
  if (knn) {
    j["feature_graph"] = graph_json(*knn);
    j["feature_graph"]["k"] = o.k;
    j["feature_graph"]["knn"] = name_of(o.knn);
  }
  j["classes"] = Json::array();
  for (std::size_t c = 0; c < d.classes.size(); ++c)
    j["classes"].push_back({{"name", d.classes[c]}, {"nodes", per_class[c]}});
  j["unlabelled"] = unlabelled;
  j["splits"] = Json::array();
  for (const Split& s : d.splits)
    j["splits"].push_back({{"labels_per_class", s.labels_per_class},
                           {"train", s.train.size()},
                           {"val", s.val.size()},
                           {"test", s.test.size()}});
  j["knn_files"] = Json::array();
  for (const auto& [k, edges] : d.knn_files)
    j["knn_files"].push_back({{"k", k}, {"lines", edges.size()}});

  Warnings odd;
  odd.add(rows.duplicates > 0, rows.duplicates,
          " edge rows repeat an earlier one; their weights add up ",
          "(--set dup=binary counts them once)");
  odd.add(topology.loops > 0, topology.loops,
          " nodes have a self-loop; it is kept and adds to the one ", "every model gives a node");
  odd.add(rows.one_directional > 0, rows.one_directional,
          " edges are written in one direction only; ", "graphs are taken as undirected");
  odd.add(topology.isolated > 0, topology.isolated,
          " nodes have no neighbour; they are classified by ", "their features alone");
  odd.add(f.empty_rows > 0, f.empty_rows,
          " nodes have no feature; they have no place in the feature graph");
  odd.add(f.empty_columns > 0, f.empty_columns, " feature columns are empty; they are harmless");
  odd.add(!f.binary && o.feature_norm == FeatureNorm::kNone && !f.negative,
          "features are not 0/1; if their scale differs between nodes, try --set feature_norm=l2");
  odd.add(f.negative, "features have negative values; row sums make no sense for them, ",
          "use feature_norm=l2 if any");
  odd.add(unlabelled > 0, unlabelled, " nodes have no label; they are predicted, never scored");
  odd.add(sorted_by_class(d),
          "nodes are sorted by class: never take ranges of ids as a split, and do not ",
          "trust kNN files made with rules on id order (they leak labels)");
  for (const Split& s : d.splits) {
    std::vector<Index> seen(per_class.size());
    for (const NodeId i : s.train) ++seen[d.labels[i]];
    for (std::size_t c = 0; c < seen.size(); ++c)
      odd.add(seen[c] == 0, "split ", s.labels_per_class, ": class ", d.classes[c],
              " has no training node and cannot be predicted");
    if (s.labels_per_class > 0)
      odd.add(
          std::any_of(seen.begin(), seen.end(), [&](Index n) { return n != s.labels_per_class; }),
          "split ", s.labels_per_class, ": training nodes are not ", s.labels_per_class,
          " per class");
  }
  if (knn && topology.labelled_edges > 0 && knn->labelled_edges > 0)
    odd.add(
        std::abs(topology.homophily - knn->homophily) > 0.15,
        topology.homophily < knn->homophily
            ? "the feature graph agrees with the classes far more than the topology; expect "
              "knn-gcn "
              "to beat gcn"
            : "the topology agrees with the classes far more than the feature graph; expect gcn to "
              "beat knn-gcn");
  j["warnings"] = odd.json();
  return j;
}

}  // namespace scrl
