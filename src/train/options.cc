#include "train/options.h"

#include <algorithm>

#include "base/error.h"

namespace scrl {

void bind(OptionSet& set, TrainOptions& o) {
  set.add("epochs", o.epochs, between(1, 1000000), "passes over the whole graph");
  set.add("lr", o.lr, above(0), "learning rate");
  set.add("optimizer", o.optimizer, "how gradients become steps");
  set.add("lr_decay", o.lr_decay, at_least(0),
          "epochs after which lr loses 1 % of its first value, again and again; 0: never");
  set.add("weight_decay", o.weight_decay, at_least(0), "L2 penalty, added to the gradient");
  set.add(
      "stop", o.stop,
      "under val the best epoch counts, or (rising) the first whose validation loss is above its "
      "mean over the ten before, as in the GCN authors' code");
  set.add("patience", o.patience, at_least(0),
          "stop after this many epochs without a better validation score (dgi: a lower loss); 0: "
          "never");
  bind_protocol(set, o);
}

void bind_protocol(OptionSet& set, TrainOptions& o) {
  set.add("protocol", o.protocol,
          "which epoch counts: best on validation nodes, the last, or best on the test nodes "
          "(diagnostic only)");
  set.add("metric", o.metric, "score that chooses among epochs, and among the members of auto");
  set.add("seed", o.seed, at_least(0), "seed of every random choice");
}

void bind(OptionSet& set, SplitOptions& o) {
  set.add("split", o.split,
          "nodes of the splits that the data names, or all drawn anew for each seed; with labels "
          "every other labelled node is then a test node");
  set.add("labels", o.labels, at_least(0),
          "training nodes per class; 0: the first split of the data", 'l');
  set.add("val_nodes", o.val_nodes, at_least(1), "validation nodes drawn if the data names none");
  set.add("test_nodes", o.test_nodes, at_least(0), "test nodes drawn if the data names none");
  set.add("val_share", o.val_share, from_to_below(0, 1),
          "share of labelled nodes for validation if the data has no split");
  set.add("test_share", o.test_share, from_to_below(0, 1),
          "share of labelled nodes for testing if the data has no split");
  set.add("conformal_share", o.conformal_share, from_to_below(0, 1),
          "share of the validation nodes that choose nothing and calibrate prediction sets");
}

void bind_search(OptionSet& set, GraphOptions& o) {
  set.add("k", o.k, between(1, 1000), "neighbours per node in the feature graph", 'k');
  set.add("knn", o.knn,
          "feature graph: published file, its rule, either end chose, both ends chose");
  set.add("knn_search", o.knn_search,
          "how neighbours are found; auto: exact unless that takes minutes (docs/determinism.md)");
  set.add("precision", o.precision,
          "of the rows that products with features and graphs gather; all else is float32");
}

void bind(OptionSet& set, GraphOptions& o) {
  bind_search(set, o);
  set.add("lsa_rank", o.lsa_rank, between(0, 1000),
          "rank of the truncated SVD (LSA) in which neighbours are searched; 0: raw cosine");
  set.add("adjacency", o.adjacency, "normalisation of both graphs");
  set.add("lazy", o.lazy, from_to_below(0, 1),
          "share of its own row that a node keeps in each step over a graph");
  set.add("dup", o.dup, "repeated edges add up, or count once");
  set.add("binarize", o.binarize,
          "stored feature values count as 1; auto: if they are sparse and not negative, as word "
          "counts are");
  set.add("feature_norm", o.feature_norm,
          "scale feature rows to absolute sum 1 (l1) or to length 1 (l2)");
}

std::string key_of(GraphOptions o, const std::vector<std::string_view>& without) {
  OptionSet options;
  bind(options, o);
  std::string key;
  for (const OptionSet::Entry& e : options.entries())
    if (std::ranges::find(without, e.key) == without.end())
      key += cat(e.key, "=", options.value_text(e), " ");
  return key;
}

}  // namespace scrl
