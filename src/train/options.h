// train/options.h: how a model is trained and judged, whatever the method.
#pragma once
#include "base/options.h"
#include "graph/adjacency.h"
#include "tensor/csr.h"
#include "tensor/matrix.h"

namespace scrl {

enum class OptimizerKind { kAdam, kSgd };
template <>
inline constexpr auto kNames<OptimizerKind> = std::array{"adam", "sgd"};

// When training under `val` ends (train/trainer.h).
enum class Stop { kBest, kRising };
template <>
inline constexpr auto kNames<Stop> = std::array{"best", "rising"};

// Which epoch counts (docs/protocols.md).
enum class Protocol { kVal, kFixed, kOracle };
template <>
inline constexpr auto kNames<Protocol> = std::array{"val", "fixed", "oracle"};

// What "best" means.
enum class Metric { kAccuracy, kMacroF1, kNll };
template <>
inline constexpr auto kNames<Metric> = std::array{"accuracy", "macro-f1", "nll"};

struct TrainOptions {
  int epochs = 200;
  double lr = 1e-3, weight_decay = 1e-4;
  OptimizerKind optimizer = OptimizerKind::kAdam;
  int lr_decay = 0;  // epochs after which lr loses 1 % of its first value; 0: never
  Stop stop = Stop::kBest;
  int patience = 100;  // of `best`; 0: never stop early
  Protocol protocol = Protocol::kVal;
  Metric metric = Metric::kAccuracy;
  int seed = 0;
};
void bind(OptionSet& set, TrainOptions& o);
void bind_protocol(OptionSet& set, TrainOptions& o);  // of these: protocol, metric and seed

enum class SplitSource { kData, kRandom };  // kRandom: the splits of the data are not looked at
template <>
inline constexpr auto kNames<SplitSource> = std::array{"data", "random"};

// Which labels may be used for what.
struct SplitOptions {
  SplitSource split = SplitSource::kData;
  int labels = 0;         // training nodes per class; 0: the split that comes with the data
  int val_nodes = 500;    // validation nodes drawn when the data names none
  int test_nodes = 1000;  // test nodes drawn when the data names none and `labels` is given
  double val_share = 0.2, test_share = 0.2;  // of the labelled nodes, when the data has no split
  double conformal_share = 0;                // of the validation nodes, kept for prediction sets
};
void bind(OptionSet& set, SplitOptions& o);

// The published file, the rule it was made by, either end chose, both ends chose
// (neighbors/knn_graph.h).
enum class FeatureGraph { kFile, kRule, kUnion, kMutual };
template <>
inline constexpr auto kNames<FeatureGraph> = std::array{"file", "rule", "union", "mutual"};

enum class KnnSearch { kAuto, kExact, kApproximate };
template <>
inline constexpr auto kNames<KnnSearch> = std::array{"auto", "exact", "approximate"};

enum class Binarize { kAuto, kTrue, kFalse };
template <>
inline constexpr auto kNames<Binarize> = std::array{"auto", "true", "false"};

enum class FeatureNorm { kNone, kL1, kL2 };
template <>
inline constexpr auto kNames<FeatureNorm> = std::array{"none", "l1", "l2"};

template <>
inline constexpr auto kNames<Precision> = std::array{"float32", "bf16"};
template <>
inline constexpr auto kNames<Norm> = std::array{"rw", "sym"};
template <>
inline constexpr auto kNames<Dup> = std::array{"sum", "binary"};

// What the encoders multiply by.
struct GraphOptions {
  int k = 9;
  FeatureGraph knn = FeatureGraph::kUnion;
  KnnSearch knn_search = KnnSearch::kAuto;
  int lsa_rank = 0;  // of the search for neighbours (train/searched_features.h); 0: raw cosine
  Precision precision = Precision::kFloat32;
  Norm adjacency = Norm::kRw;
  double lazy = 0;
  Dup dup = Dup::kSum;
  Binarize binarize = Binarize::kFalse;
  FeatureNorm feature_norm = FeatureNorm::kNone;
};
void bind(OptionSet& set, GraphOptions& o);
void bind_search(OptionSet& set, GraphOptions& o);  // of these: k, knn, knn_search and precision

// Every option of the table with its value, but those named: the key of what was made with them. A
// new option is part of every key until somebody has shown that it does not matter.
std::string key_of(GraphOptions o, const std::vector<std::string_view>& without);

}  // namespace scrl
