// Graphs from features where there are none, and predictions for nodes that were not there in
// training.
#include "train/new_nodes.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <optional>

#include "base/parallel.h"
#include "config/config.h"
#include "data/dataset.h"
#include "models/registry.h"
#include "rows.h"
#include "scrl/predictor.h"

namespace scrl::python {
namespace {

GraphOptions graph_options(const Settings& settings, const Dataset& data) {
  std::vector<Setting> all;
  for (const auto& [key, value] : settings) all.push_back({key, value, "caller"});
  RunConfig config(all);
  config.resolve(data);
  return config.graph;
}

// The feature graph of these settings as the arrays of a SciPy matrix; None for a method that looks
// at no edges.
nb::object feature_edges(const TrainingData& given, const Settings& settings, int threads) {
  const std::string& method = settings.at("method");
  if (method != kAuto && (method_info(method).views & (kTopology | kEdges)) == 0) return nb::none();
  Csr found;
  {
    nb::gil_scoped_release unlocked;
    const ThreadScope scope(threads);
    const Dataset data = with_own_arrays(given.dataset());
    found = feature_graph(data, graph_options(settings, data));
  }
  return nb::make_tuple(to_numpy(std::move(found.val)), to_numpy(std::move(found.col)),
                        to_numpy(std::move(found.row_ptr)));
}

// A predictor of new nodes. Where the edges of the training were made from features, so are those
// of new nodes.
class NewNodePredictor {
 public:
  NewNodePredictor(const TrainedModel& model, const TrainingData& given, bool made_edges,
                   const Settings& settings, int threads)
      : predictor_(made(model, given, threads)) {
    if (!made_edges) return;
    nb::gil_scoped_release unlocked;
    const ThreadScope scope(threads);
    const Dataset data = with_own_arrays(given.dataset());
    const GraphOptions options = graph_options(settings, data);
    k_ = options.k;
    finder_.emplace(data, options);
  }

  // `among`: new x new, where they see each other.
  nb::tuple predict(const Rows& features, const std::optional<Rows>& edges,
                    const std::optional<Rows>& among, int threads) const {
    Predictions p;
    {
      nb::gil_scoped_release unlocked;
      const ThreadScope scope(threads);
      NewNodes nodes{.nodes = features.rows, .features = features.view()};
      Csr nearest;
      if (edges) nodes.edges = edges->view();
      if (among) nodes.edges_among = among->view();
      if (!edges && finder_) {
        nearest = finder_->nearest(own_copy(features.view()), k_);
        nodes.edges = nearest;
      }
      p = predictor_.predict(nodes, threads);
    }
    return arrays_of(std::move(p));
  }

 private:
  static Predictor made(const TrainedModel& model, const TrainingData& given, int threads) {
    nb::gil_scoped_release unlocked;
    return {model, given.dataset(), threads};
  }

  Predictor predictor_;
  std::optional<NeighbourFinder> finder_;
  int k_ = 0;
};

}  // namespace

void bind_new_nodes(nb::module_& m) {
  m.def("feature_edges", &feature_edges, nb::arg("data"), nb::arg("settings"), nb::arg("threads"));
  nb::class_<NewNodePredictor>(m, "Predictor")
      .def(nb::init<const TrainedModel&, const TrainingData&, bool, const Settings&, int>(),
           nb::arg("model"), nb::arg("data"), nb::arg("made_edges"), nb::arg("settings"),
           nb::arg("threads"))
      .def("predict", &NewNodePredictor::predict, nb::arg("features"), nb::arg("edges").none(),
           nb::arg("edges_among").none(), nb::arg("threads"));
}

}  // namespace scrl::python
