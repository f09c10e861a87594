// train/options.h: how a model is trained and judged, whatever the method.
#pragma once
#include <string>

#include "base/options.h"

namespace scrl {

struct TrainOptions {
  int epochs = 200;
  double lr = 1e-3, weight_decay = 1e-4;
  std::string optimizer = "adam";
  int lr_decay = 0;           // epochs after which lr loses 1 % of its first value; 0: never
  std::string stop = "best";  // under `val`: best, or rising (train/trainer.h)
  int patience = 100;         // of `best`; 0: never stop early
  std::string protocol = "val";
  std::string metric = "accuracy";  // what `best` means
  int seed = 0;
};
void bind(OptionSet& set, TrainOptions& o);
void bind_protocol(OptionSet& set, TrainOptions& o);  // of these: protocol, metric and seed

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
  int k = 9;
  std::string knn = "union";
  std::string knn_search = "auto";
  int lsa_rank = 0;  // of the search for neighbours (train/searched_features.h); 0: raw cosine
  std::string precision = "float32";
  std::string adjacency = "rw";
  double lazy = 0;
  std::string dup = "sum";
  std::string binarize = "false";
  std::string feature_norm = "none";
};
void bind(OptionSet& set, GraphOptions& o);
void bind_search(OptionSet& set, GraphOptions& o);  // of these: k, knn, knn_search and precision

}  // namespace scrl
