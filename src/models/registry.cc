#include "models/registry.h"

#include <functional>

#include "base/error.h"
#include "models/amgcn.h"
#include "models/appnp.h"
#include "models/chebnet.h"
#include "models/correct_smooth.h"
#include "models/deepwalk.h"
#include "models/demonet.h"
#include "models/dgi.h"
#include "models/gat.h"
#include "models/gcn.h"
#include "models/gcn_tf.h"
#include "models/gprgnn.h"
#include "models/grace.h"
#include "models/grand.h"
#include "models/h2gcn.h"
#include "models/label_propagation.h"
#include "models/line.h"
#include "models/logreg.h"
#include "models/m3s.h"
#include "models/mixhop.h"
#include "models/mlp.h"
#include "models/scrl.h"
#include "models/scrl_paper.h"
#include "models/sgc.h"

namespace scrl {
namespace {

// A method made of an options struct and a model that is built from inputs and options.
template <class Options, class M>
class MethodOf : public Method {
 public:
  explicit MethodOf(unsigned views) : views_(views) {}
  void bind(OptionSet& set) override { scrl::bind(set, options_); }
  std::unique_ptr<Model> build(const Inputs& in) const override {
    return std::make_unique<M>(in, options_);
  }
  unsigned views() const override { return views_; }

 private:
  Options options_;
  unsigned views_;
};

struct Row {
  MethodInfo info;
  std::function<std::unique_ptr<Method>()> make;
};

template <class Options, class M>
Row row(MethodInfo info) {
  const unsigned views = info.views;
  return {std::move(info), [views] { return std::make_unique<MethodOf<Options, M>>(views); }};
}

struct KnnGcn : Gcn {
  KnnGcn(const Inputs& in, const GcnOptions& o) : Gcn(in, *in.A_f, o) {}
};

// Profiles: what the authors' own papers or code use on citation graphs, or as the model's header
// says; settings for the data sets of the comparisons are in published.cc.
const std::vector<Row>& rows() {
  static const std::vector<Row> table = {
      row<ScrlOptions, Scrl>(
          {.name = "scrl",
           .summary = "two GCN views (topology, feature graph) taught by each other's prototypes",
           .views = kTopology | kFeatureGraph,
           .fixed = {"optimizer", "lr_decay", "stop", "adjacency", "lazy", "dup", "feature_norm"},
           .profile = {{"epochs", "100"},
                       {"patience", "50"},
                       {"lr", "5e-3"},
                       {"weight_decay", "1e-3"},
                       {"k", "15"},
                       {"binarize", "auto"},
                       {"feature_norm", "l2"},
                       {"lazy", "0.5"}}}),
      row<ScrlPaperOptions, ScrlPaper>({.name = "scrl-paper",
                                        .summary = "SCRL as published, with free prototypes",
                                        .views = kTopology | kFeatureGraph,
                                        .profile = {{"epochs", "150"},
                                                    {"patience", "0"},
                                                    {"lr", "5e-4"},
                                                    {"weight_decay", "5e-4"},
                                                    {"k", "5"}}}),
      row<AmgcnOptions, Amgcn>(
          {.name = "amgcn",
           .summary = "three GCN encoders (topology, feature graph, shared), mixed by attention",
           .views = kTopology | kFeatureGraph,
           .profile = {{"lr", "5e-4"}, {"weight_decay", "5e-4"}, {"k", "5"}}}),
      row<GcnOptions, Gcn>(
          {.name = "gcn",
           .summary = "two-layer graph convolution on the topology",
           .views = kTopology,
           .profile = {{"lr", "0.01"}, {"weight_decay", "5e-4"}, {"feature_norm", "l2"}}}),
      row<GcnTfOptions, GcnTf>(
          {.name = "gcn-tf",
           .summary =
               "the same as Kipf and Welling's own code has it (dropout on features, no bias)",
           .views = kTopology,
           .profile = {{"lr", "0.01"},
                       {"weight_decay", "5e-4"},
                       {"adjacency", "sym"},
                       {"feature_norm", "l1"}}}),
      row<GcnOptions, KnnGcn>(
          {.name = "knn-gcn",
           .summary = "gcn on the feature graph",
           .views = kFeatureGraph,
           .profile = {{"lr", "0.01"}, {"weight_decay", "5e-4"}, {"feature_norm", "l2"}}}),
      row<ChebnetOptions, Chebnet>(
          {.name = "chebnet",
           .summary = "Chebyshev polynomials of the graph Laplacian, two layers",
           .views = kEdges,
           .profile = {{"lr", "0.01"}, {"weight_decay", "5e-4"}, {"feature_norm", "l1"}}}),
      row<GatOptions, Gat>({.name = "gat",
                            .summary = "attention over neighbours, two layers",
                            .views = kTopology,
                            .profile = {{"lr", "0.005"},
                                        {"weight_decay", "5e-4"},
                                        {"feature_norm", "l2"},
                                        {"epochs", "1000"}}}),
      row<DemonetOptions, Demonet>(
          {.name = "demo-net",
           .summary = "weights that depend on the degree of a node, three layers",
           .views = kEdges,
           .new_nodes = false,
           .profile = {{"lr", "0.005"},
                       {"weight_decay", "5e-4"},
                       {"dup", "binary"},
                       {"feature_norm", "l2"}}}),
      row<MixhopOptions, Mixhop>({.name = "mixhop",
                                  .summary = "powers of the adjacency side by side, two layers",
                                  .views = kTopology,
                                  .profile = {{"optimizer", "sgd"},
                                              {"lr", "0.5"},
                                              {"lr_decay", "40"},
                                              {"weight_decay", "0"},
                                              {"epochs", "400"},
                                              {"patience", "200"},
                                              {"adjacency", "sym"},
                                              {"dup", "binary"},
                                              {"binarize", "auto"}}}),
      row<AppnpOptions, Appnp>(
          {.name = "appnp",
           .summary = "dense layers whose predictions personalised PageRank spreads",
           .views = kTopology,
           .profile = {{"lr", "0.01"},
                       {"weight_decay", "5e-3"},
                       {"adjacency", "sym"},
                       {"feature_norm", "l2"}}}),
      row<GprgnnOptions, Gprgnn>(
          {.name = "gprgnn",
           .summary = "dense layers, then powers of the adjacency with learned weights",
           .views = kTopology,
           .profile = {{"lr", "0.01"},
                       {"weight_decay", "5e-4"},
                       {"adjacency", "sym"},
                       {"feature_norm", "l2"}}}),
      row<H2gcnOptions, H2gcn>(
          {.name = "h2gcn",
           .summary = "ego, neighbours and nodes two hops away kept apart, all rounds side by side",
           .views = kEdges,
           .profile = {{"lr", "0.01"}, {"weight_decay", "5e-4"}, {"feature_norm", "l2"}}}),
      row<GrandOptions, Grand>(
          {.name = "grand",
           .summary = "dropped nodes, mixed-order propagation, augmentations that have to agree",
           .views = kTopology,
           .profile = {{"lr", "0.05"},
                       {"weight_decay", "5e-4"},
                       {"adjacency", "sym"},
                       {"feature_norm", "l2"}}}),
      row<M3sOptions, M3s>({.name = "m3s",
                            .summary = "GCN that labels more nodes in stages, checked by clusters",
                            .views = kTopology,
                            .profile = {{"lr", "0.01"},
                                        {"weight_decay", "5e-4"},
                                        {"adjacency", "sym"},
                                        {"feature_norm", "l2"},
                                        {"epochs", "1200"}}}),
      row<DgiOptions, Dgi>({.name = "dgi",
                            .summary = "one GCN layer that tells nodes from shuffled ones",
                            .views = kTopology,
                            .labels = false,
                            .profile = {{"lr", "1e-3"},
                                        {"weight_decay", "0"},
                                        {"adjacency", "sym"},
                                        {"feature_norm", "l1"},
                                        {"epochs", "10000"},
                                        {"patience", "20"}}}),
      row<GraceOptions, Grace>(
          {.name = "grace",
           .summary = "GCN that tells a node from others across two dropped views",
           .views = kEdges,
           .labels = false,
           .profile = {{"lr", "1e-3"},
                       {"weight_decay", "1e-5"},
                       {"epochs", "100"},
                       {"feature_norm", "l2"}}}),
      row<DeepwalkOptions, Deepwalk>({.name = "deepwalk",
                                      .summary = "skip-gram on random walks",
                                      .views = kEdges,
                                      .features = false,
                                      .labels = false,
                                      .new_nodes = false,
                                      .profile = {{"epochs", "5"}, {"lr", "0.025"}}}),
      row<LineModelOptions, LineModel>(
          {.name = "line",
           .summary = "first- and second-order proximity by edge sampling",
           .views = kEdges,
           .features = false,
           .labels = false,
           .new_nodes = false,
           .profile = {{"epochs", "10"}, {"lr", "0.025"}}}),
      row<MlpOptions, Mlp>(
          {.name = "mlp",
           .summary = "two dense layers on the features, no graph",
           .profile = {{"lr", "0.01"}, {"weight_decay", "5e-4"}, {"feature_norm", "l2"}}}),
      row<LogregOptions, Logreg>(
          {.name = "logreg",
           .summary = "multinomial logistic regression on the features, no graph",
           .profile = {{"epochs", "1"}, {"feature_norm", "l2"}}}),
      row<SgcOptions, Sgc>(
          {.name = "sgc",
           .summary = "multinomial logistic regression on the features up to three hops away",
           .views = kTopology,
           .profile = {{"epochs", "1"}, {"feature_norm", "l2"}}}),
      row<LabelPropagationOptions, LabelPropagation>(
          {.name = "label-propagation",
           .summary = "labels spread over the edges, no features",
           .views = kEdges,
           .features = false,
           .new_nodes = false,
           .profile = {{"epochs", "1"}}}),
      {{.name = "correct-smooth",
        .summary = "predictions of another method, corrected and smoothed over the edges",
        .views = kTopology | kEdges,
        .new_nodes = false,
        .profile =
            {{"epochs", "1"}, {"lr", "0.01"}, {"weight_decay", "5e-4"}, {"feature_norm", "l2"}}},
       [] { return std::make_unique<CorrectSmooth>(); }},
  };
  return table;
}

const Row& row_of(std::string_view name) {
  std::string known = kAuto;
  for (const Row& r : rows()) {
    if (r.info.name == name) return r;
    known += ", " + r.info.name;
  }
  fail(ErrorKind::kUsage, "unknown method '", name, "'; the methods are ", known);
}

}  // namespace

const std::vector<MethodInfo>& method_list() {
  static const std::vector<MethodInfo> list = [] {
    std::vector<MethodInfo> out;
    for (const Row& r : rows()) out.push_back(r.info);
    return out;
  }();
  return list;
}

const MethodInfo& method_info(std::string_view name) {
  static const MethodInfo automatic = {.name = kAuto,
                                       .summary = "several methods, combined by held-out labels",
                                       .views = kTopology | kFeatureGraph};
  return name == kAuto ? automatic : row_of(name).info;
}

std::unique_ptr<Method> make_method(std::string_view name) { return row_of(name).make(); }

}  // namespace scrl
