// scrl knn DATA [-k 9] [--knn union] [-o out.tsv]: the feature graph as an edge list.
#include <cstdio>

#include "base/error.h"
#include "command.h"
#include "scrl/dataset.h"
#include "train/prepare.h"

namespace scrl::cli {

int cmd_knn(const Args& args) {
  CommonOptions common;
  GraphOptions graph;
  std::string out;
  OptionSet set;
  set.add("k", graph.k, between(1, 1000), "neighbours per node", 'k');
  set.add("knn", graph.knn, one_of({"file", "rule", "union", "mutual"}),
          "which pairs: published file, its rule, either end chose, both ends chose");
  set.add("out", out, any_text(), "TSV file; without it stdout", 'o');
  bind(set, common);
  const auto positional = parse_command(set, common, args);
  constexpr const char* kUsage = "scrl knn DATA [-k K] [--knn MODE] [-o FILE]";
  if (printed_help(
          common, set,
          "Writes the cosine kNN graph of the features, one 'id<TAB>id' per undirected edge.",
          kUsage))
    return 0;
  expect_arguments(positional, 1, 1, kUsage);
  const Dataset data = load_dataset(positional[0]);
  const Csr A = feature_graph(data, graph);
  std::string text;
  Index edges = 0;
  for (Index i = 0; i < A.rows; ++i)
    for (const NodeId j : A.row_cols(i)) {
      if (j < i) continue;
      text += cat(data.id(i), '\t', data.id(j), '\n');
      ++edges;
    }
  write_output(out, text);
  if (!common.quiet)
    std::fprintf(stderr, "%s: %lld edges, k=%d, %s\n", data.name.c_str(),
                 static_cast<long long>(edges), graph.k, graph.knn.c_str());
  return 0;
}

}  // namespace scrl::cli
