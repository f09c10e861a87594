#include "run/inspect.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>

#include "base/error.h"
#include "eval/metrics.h"
#include "graph/adjacency.h"
#include "run/doctor.h"
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

FeatureFacts feature_facts(const Csr& X) {
  FeatureFacts f{.columns = X.cols, .stored = X.nnz()};
  f.per_node = static_cast<double>(f.stored) / static_cast<double>(std::max<Index>(1, X.rows));
  std::vector<bool> used(static_cast<std::size_t>(X.cols));
  for (Index i = 0; i < X.rows; ++i) f.empty_rows += X.row_nnz(i) == 0;
  for (const NodeId c : X.col) used[c] = true;
  f.unused_columns = std::count(used.begin(), used.end(), false);
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
    if (present) list.push_back(cat(parts...));
  }
  std::vector<std::string> list;
};

std::vector<std::string> warnings(const Dataset& d, const GraphOptions& o,
                                  const Inspection& facts) {
  const EdgeStats& rows = facts.edge_file;
  const GraphStats& topology = facts.topology;
  const std::optional<GraphStats>& knn = facts.feature_graph;
  const FeatureFacts& f = facts.features;
  const Index unlabelled = facts.unlabelled;
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
  odd.add(f.unused_columns > 0, f.unused_columns, " feature columns are empty; they are harmless");
  odd.add(!f.binary && o.feature_norm == FeatureNorm::kNone && !f.negative,
          "features are not 0/1; if their scale differs between nodes, try --set feature_norm=l2");
  odd.add(f.negative, "features have negative values; row sums make no sense for them, ",
          "use feature_norm=l2 if any");
  odd.add(unlabelled > 0, unlabelled, " nodes have no label; they are predicted, never scored");
  odd.add(sorted_by_class(d),
          "nodes are sorted by class: never take ranges of ids as a split, and do not ",
          "trust kNN files made with rules on id order (they leak labels)");
  for (const Split& s : d.splits) {
    std::vector<Index> seen(d.classes.size());
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
  return odd.list;
}

}  // namespace

Inspection inspect(const Dataset& d, const GraphOptions& o) {
  std::optional<Csr> features;
  if (d.features.nnz() > 0) features = feature_graph(d, o);
  return inspect(d, o, features);
}

Inspection inspect(const Dataset& d, const GraphOptions& o, const std::optional<Csr>& features) {
  Inspection out{.dataset = d.name,
                 .fingerprint = fingerprint(d),
                 .nodes = d.nodes,
                 .own_ids = !d.ids.empty(),
                 .features = feature_facts(d.features),
                 .edge_file = edge_stats(d.nodes, d.edges),
                 .topology = graph_stats(adjacency(d.nodes, d.edges, o.dup), d.labels),
                 .k = o.k,
                 .knn = o.knn};
  if (features) out.feature_graph = graph_stats(*features, d.labels);
  for (const std::string& name : d.classes) out.classes.push_back({name});
  for (const std::int32_t y : d.labels)
    ++(y == kUnlabelled ? out.unlabelled : out.classes[static_cast<std::size_t>(y)].nodes);
  for (const Split& s : d.splits)
    out.splits.push_back({s.labels_per_class, s.train.size(), s.val.size(), s.test.size()});
  for (const auto& [k, edges] : d.knn_files) out.knn_files.push_back({k, edges.size()});
  out.warnings = warnings(d, o, out);
  std::ranges::move(diagnose(d, o, features), std::back_inserter(out.warnings));
  return out;
}

Json to_json(const Inspection& facts) {
  Json j = Json::object();
  j["schema"] = 1;
  j["dataset"] = facts.dataset;
  j["nodes"] = facts.nodes;
  j["own_ids"] = facts.own_ids;
  j["fingerprint"] = facts.fingerprint;
  const FeatureFacts& f = facts.features;
  j["features"] = {{"columns", f.columns},       {"stored", f.stored},
                   {"per_node", f.per_node},     {"binary", f.binary},
                   {"empty_rows", f.empty_rows}, {"unused_columns", f.unused_columns}};
  const EdgeStats& rows = facts.edge_file;
  j["edge_file"] = {{"rows", rows.rows},
                    {"distinct", rows.distinct},
                    {"repeated", rows.duplicates},
                    {"one_directional", rows.one_directional}};
  j["topology"] = graph_json(facts.topology);
  if (facts.feature_graph) {
    j["feature_graph"] = graph_json(*facts.feature_graph);
    j["feature_graph"]["k"] = facts.k;
    j["feature_graph"]["knn"] = name_of(facts.knn);
  }
  j["classes"] = Json::array();
  for (const Inspection::ClassSize& c : facts.classes)
    j["classes"].push_back({{"name", c.name}, {"nodes", c.nodes}});
  j["unlabelled"] = facts.unlabelled;
  j["splits"] = Json::array();
  for (const Inspection::SplitSize& s : facts.splits)
    j["splits"].push_back({{"labels_per_class", s.labels_per_class},
                           {"train", s.train},
                           {"val", s.val},
                           {"test", s.test}});
  j["knn_files"] = Json::array();
  for (const Inspection::KnnFile& file : facts.knn_files)
    j["knn_files"].push_back({{"k", file.k}, {"lines", file.lines}});
  j["warnings"] = facts.warnings;
  return j;
}

}  // namespace scrl
