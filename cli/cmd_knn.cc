// scrl knn DATA [-k 9] [--knn union] [--check 1000] [-o out.tsv]: the feature graph as an edge
// list.
#include <cstdio>

#include "base/error.h"
#include "command.h"
#include "neighbors/knn_recall.h"
#include "scrl/dataset.h"
#include "train/prepare.h"

namespace scrl::cli {

int cmd_knn(const Args& args) {
  CommonOptions common;
  GraphOptions graph = RunConfig({}).graph;  // as training has it
  std::string out;
  int sample = 0;
  OptionSet set;
  set.add("k", graph.k, between(1, 1000), "neighbours per node", 'k');
  set.add("knn", graph.knn,
          "which pairs: published file, its rule, either end chose, both ends chose");
  set.add("knn_search", graph.knn_search,
          "how neighbours are found; auto: exact unless that takes minutes");
  set.add("binarize", graph.binarize,
          "stored values count as 1; auto: if they are sparse and not negative");
  set.add("lsa_rank", graph.lsa_rank, between(0, 1000),
          "rank of the truncated SVD (LSA) in which nodes are compared; 0: raw cosine");
  set.add("check", sample, at_least(0),
          "search this many nodes exactly too, and say what share of their neighbours was found");
  set.add("out", out, any_text(), "TSV file; without it stdout", 'o');
  bind(set, common);
  const auto positional = parse_command(set, common, args);
  constexpr const char* kUsage = "scrl knn DATA [-k K] [--knn MODE] [--check N] [-o FILE]";
  if (printed_help(
          common, set,
          "Writes the cosine kNN graph of the features, one 'id<TAB>id' per undirected edge.",
          kUsage))
    return 0;
  expect_arguments(positional, 1, 1, kUsage);
  const Dataset data = load_dataset(positional[0]);
  const bool file = graph.knn == FeatureGraph::kFile;
  if (file && sample > 0) {
    fail(ErrorKind::kUsage,
         "knn: --check looks at computed neighbours, found --knn file. Use one of ", "the others");
  }
  Neighbours neighbours;
  if (!file) neighbours = feature_neighbours(data, graph);
  const Csr A = file ? feature_graph(data, graph) : feature_graph(neighbours, graph);
  std::string text;
  Index edges = 0;
  for (Index i = 0; i < A.rows; ++i)
    for (const NodeId j : A.row_cols(i)) {
      if (j < i) continue;
      text += cat(data.id(i), '\t', data.id(j), '\n');
      ++edges;
    }
  write_output(out, text);
  if (!common.quiet) {
    const char* search = file                                           ? "published"
                         : searches_approximately(data.features, graph) ? "approximate"
                                                                        : "exact";
    std::fprintf(stderr, "%s: %lld edges, k=%d, %s, %s\n", data.name.c_str(),
                 static_cast<long long>(edges), graph.k, name_of(graph.knn), search);
  }
  if (sample > 0) {
    const std::vector<NodeId> rows = sample_rows(data.nodes, sample);
    const Recall r = recall(searched_features(data.features, graph), neighbours, rows);
    std::fprintf(stderr, "recall %.4f, similarity %.4f of exact, on %zu nodes\n", r.found,
                 r.similarity, rows.size());
  }
  return 0;
}

}  // namespace scrl::cli
