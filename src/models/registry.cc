#include "models/registry.h"

#include <functional>

#include "base/error.h"
#include "models/gcn.h"
#include "models/mlp.h"
#include "models/scrl.h"

namespace scrl {
namespace {

enum Views { kNone = 0, kTopology = 1, kFeatureGraph = 2 };

// A method made of an options struct and a function from inputs to a model.
template <class Options>
class MethodOf : public Method {
 public:
  using Build = std::unique_ptr<Model> (*)(const Inputs&, const Options&);
  MethodOf(int views, Build build) : views_(views), build_(build) {}
  void bind(OptionSet& set) override { scrl::bind(set, options_); }
  std::unique_ptr<Model> build(const Inputs& in) const override { return build_(in, options_); }
  bool needs_topology() const override { return views_ & kTopology; }
  bool needs_feature_graph() const override { return views_ & kFeatureGraph; }

 private:
  Options options_;
  int views_;
  Build build_;
};

template <class Options>
std::unique_ptr<Method> method(int views, typename MethodOf<Options>::Build build) {
  return std::make_unique<MethodOf<Options>>(views, build);
}

struct Row {
  MethodInfo info;
  std::function<std::unique_ptr<Method>()> make;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> table = {
      {{"scrl", "two GCN views (topology, feature graph) taught by each other's prototypes", {}},
       [] {
         return method<ScrlOptions>(kTopology | kFeatureGraph,
                                    [](const Inputs& in, const ScrlOptions& o) {
                                      return std::unique_ptr<Model>(new Scrl(in, o));
                                    });
       }},
      {{"gcn",
        "two-layer graph convolution on the topology",
        {{"lr", "0.01"}, {"weight_decay", "5e-4"}, {"feature_norm", "l2"}}},
       [] {
         return method<GcnOptions>(kTopology, [](const Inputs& in, const GcnOptions& o) {
           return std::unique_ptr<Model>(new Gcn(in, *in.A_t, o));
         });
       }},
      {{"knn-gcn",
        "the same on the feature graph",
        {{"lr", "0.01"}, {"weight_decay", "5e-4"}, {"feature_norm", "l2"}}},
       [] {
         return method<GcnOptions>(kFeatureGraph, [](const Inputs& in, const GcnOptions& o) {
           return std::unique_ptr<Model>(new Gcn(in, *in.A_f, o));
         });
       }},
      {{"mlp",
        "two dense layers on the features, no graph",
        {{"lr", "0.01"}, {"weight_decay", "5e-4"}, {"feature_norm", "l2"}}},
       [] {
         return method<MlpOptions>(kNone, [](const Inputs& in, const MlpOptions& o) {
           return std::unique_ptr<Model>(new Mlp(in, o));
         });
       }},
  };
  return table;
}

const Row& row(std::string_view name) {
  std::string known;
  for (const Row& r : rows()) {
    if (r.info.name == name) return r;
    known += (known.empty() ? "" : ", ") + r.info.name;
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

const MethodInfo& method_info(std::string_view name) { return row(name).info; }

std::unique_ptr<Method> make_method(std::string_view name) { return row(name).make(); }

}  // namespace scrl
