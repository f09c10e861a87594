// scrl knn DATA [-k 9] [--knn union] [--check [--samples 1000]] [-o out.tsv]: the feature graph as
// an edge list.
#include <cstdio>

#include "base/error.h"
#include "command.h"
#include "data/data_name.h"
#include "scrl/dataset.h"
#include "train/prepare.h"

namespace scrl::cli {

int cmd_knn(const Args& args) {
  CommonOptions common;
  GraphOptions graph = RunConfig({}).graph;  // as training has it
  std::string out, knn_file;
  bool check_search = false;
  int samples = 1000;
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
  set.add_flag("check", check_search,
               "search some nodes exactly too, and say what share of their neighbours was found");
  set.add("samples", samples, at_least(1), "nodes that --check looks at");
  bind_knn_file(set, knn_file);
  set.add("out", out, any_text(), "TSV file; without it stdout", 'o');
  bind(set, common);
  const auto positional = parse_command(set, common, args);
  constexpr const char* kUsage = "scrl knn DATA [-k K] [--knn MODE] [--check] [-o FILE]";
  if (printed_help(
          common, set,
          "Writes the cosine kNN graph of the features, one 'id<TAB>id' per undirected edge.",
          kUsage))
    return 0;
  expect_arguments(positional, 1, 1, kUsage);
  const Dataset data = load_dataset(with_knn_file(positional[0], knn_file));
  prefer_own_graph(set, data);
  const bool file = graph.knn == FeatureGraph::kFile;
  if (file && check_search) {
    fail(ErrorKind::kUsage,
         "knn: --check looks at computed neighbours, found --knn file. Use one of ", "the others");
  }
  Neighbours neighbours;
  SearchCheck check{.samples = samples};
  if (!file) neighbours = feature_neighbours(data, graph, check_search ? &check : nullptr);
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
  if (check_search) {
    const Recall& r = check.recall;
    std::fprintf(
        stderr,
        "recall@%d %.4f (95 %% confidence %.4f to %.4f), similarity %.4f of exact, on %lld "
        "nodes\n",
        graph.k, r.found, r.low, r.high, r.similarity, static_cast<long long>(r.rows));
  }
  return 0;
}

}  // namespace scrl::cli
