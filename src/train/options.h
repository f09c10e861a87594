// train/options.h: how a model is trained and judged, whatever the method.
#pragma once
#include <optional>
#include <string>

#include "base/options.h"

namespace scrl {

struct TrainOptions {
  int epochs = 200;
  std::optional<double> lr = 1e-3;            // none: by labels and features, as the next
  std::optional<double> weight_decay = 1e-4;  // none: see train/label_rules.h
  std::string optimizer = "adam";
  int lr_decay = 0;           // epochs after which lr loses 1 % of its first value; 0: never
  std::string stop = "best";  // under `val`: best, or rising (train/trainer.h)
  int patience = 100;         // of `best`; 0: never stop early
  std::string protocol = "val";
  int seed = 0;

  double rate() const { return lr.value_or(1e-3); }
};
void bind(OptionSet& set, TrainOptions& o);

// Which labels may be used for what.
struct SplitOptions {
  std::string split = "data";  // random: the splits of the data are not looked at
  int labels = 0;              // training nodes per class; 0: the split that comes with the data
  int val_nodes = 500;         // validation nodes drawn when the data names none
  int test_nodes = 1000;       // test nodes drawn when the data names none and `labels` is given
  double val_share = 0.2, test_share = 0.2;  // of the labelled nodes, when the data has no split
};
void bind(OptionSet& set, SplitOptions& o);

// What the encoders multiply by.
struct GraphOptions {
  std::optional<int> k = 9;  // none: by labels and features, see train/label_rules.h
  std::string knn = "union";
  std::string knn_search = "auto";
  // Of the search for neighbours; none: by the features, see train/searched_features.h.
  std::optional<double> rarity = 0;
  std::optional<int> directions = 0;  // 0: features are compared one by one
  std::string precision = "float32";
  std::string adjacency = "rw";
  double self_weight = 0;
  std::string dup = "sum";
  std::string feature_values = "stored";
  std::string feature_norm = "none";
  std::optional<double> row_length = 1;  // of feature rows with l2; none: train/label_rules.h

  int neighbours() const { return k.value_or(9); }
};
void bind(OptionSet& set, GraphOptions& o);

}  // namespace scrl
