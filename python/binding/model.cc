// Training and predicting: scrl/model.h for Python. The arrays of the caller are borrowed, the lock
// of the interpreter is free while the engine works, and Ctrl-C is looked for between epochs.
#include "scrl/model.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "binding.h"
#include "config/config.h"
#include "data/dataset.h"
#include "interrupt.h"
#include "models/registry.h"
#include "train/prepare.h"

namespace scrl::python {
namespace {

using AnyArray = nb::ndarray<nb::ro, nb::ndim<1>, nb::c_contig, nb::device::cpu>;

// Compressed sparse rows as SciPy holds them.
struct Rows {
  AnyArray row_ptr, col;
  Array<float> val;
  Index rows, cols;

  CsrView view() const {
    return {rows, cols, indices(row_ptr), indices(col), {val.data(), val.size()}};
  }

 private:
  static IndexView indices(const AnyArray& a) {
    if (a.dtype() == nb::dtype<std::int32_t>())
      return std::span(static_cast<const std::int32_t*>(a.data()), a.size());
    if (a.dtype() == nb::dtype<std::int64_t>())
      return std::span(static_cast<const std::int64_t*>(a.data()), a.size());
    throw nb::type_error("indices: expected int32 or int64");
  }
};

Dataset graph_of(const Rows& features, const std::optional<Rows>& edges,
                 const std::vector<std::string>& classes) {
  Dataset data;
  data.name = "data";
  data.source = "data";
  data.nodes = features.rows;
  data.features.rows = data.features.cols = 0;
  data.lent_features = features.view();
  if (edges) data.lent_edges = edges->view();
  data.labels.assign(static_cast<std::size_t>(data.nodes), kUnlabelled);
  data.classes = classes;
  return data;
}

// Where there is no graph, the feature graph is taken for it by the methods that need one.
bool wants_edges(const Settings& settings) {
  const auto method = settings.find("method");
  return method->second == kAuto || (method_info(method->second).views & (kTopology | kEdges)) != 0;
}

Csr feature_edges(const Dataset& data, const Settings& settings) {
  std::vector<Setting> all;
  for (const auto& [key, value] : settings) all.push_back({key, value, "caller"});
  RunConfig config(all);
  const Dataset own = with_own_arrays(data);
  config.resolve(own);
  return feature_graph(own, config.graph);
}

// Called after every epoch without the lock of the interpreter.
class Progress {
 public:
  explicit Progress(nb::object callback) : callback_(std::move(callback)) {}

  // False ends the training. What the callback raises is thrown, and passes through the engine.
  bool operator()(const EpochReport& e) {
    if (interrupt_.asked()) return false;
    if (callback_.is_none()) return true;
    nb::gil_scoped_acquire lock;
    return !nb::cast<bool>(callback_(event(e)));
  }
  void rethrow() { interrupt_.rethrow(); }

 private:
  static nb::dict event(const EpochReport& e) {
    nb::dict out;
    out["epoch"] = e.epoch;
    out["epochs"] = e.epochs;
    out["member"] = e.member;
    out["loss"] = e.loss;
    out["train_accuracy"] = e.train_accuracy;
    out["val_accuracy"] = e.val_accuracy;
    return out;
  }

  nb::object callback_;
  Interrupt interrupt_;
};

template <class F>
nb::list column(const std::vector<EpochReport>& history, F field) {
  nb::list out;
  for (const EpochReport& e : history) out.append(nb::cast(field(e)));
  return out;
}

nb::dict history_of(const std::vector<EpochReport>& history) {
  nb::dict out;
  out["member"] = column(history, [](const EpochReport& e) { return e.member; });
  out["epoch"] = column(history, [](const EpochReport& e) { return e.epoch; });
  out["loss"] = column(history, [](const EpochReport& e) { return e.loss; });
  out["train_accuracy"] = column(history, [](const EpochReport& e) { return e.train_accuracy; });
  out["val_accuracy"] = column(history, [](const EpochReport& e) { return e.val_accuracy; });
  return out;
}

nb::tuple arrays_of(Predictions p) {
  const std::size_t classes = p.classes.size();
  return nb::make_tuple(
      to_numpy(std::move(p.label)), to_numpy(std::move(p.probabilities), classes),
      to_numpy(std::move(p.embeddings), static_cast<std::size_t>(p.embedding_size)));
}

nb::dict fit_model(const Rows& features, const std::optional<Rows>& edges,
                   const Array<std::int32_t>& labels, const std::vector<std::string>& classes,
                   const Array<std::int32_t>& train, const Array<std::int32_t>& val,
                   const Settings& settings, int threads, nb::object callback) {
  Dataset data = graph_of(features, edges, classes);
  data.labels = copy_of(labels);
  if (train.size() > 0) data.splits = {{.train = copy_of(train), .val = copy_of(val)}};
  Progress progress(std::move(callback));
  FitOptions options;
  options.progress = [&](const EpochReport& e) { return progress(e); };
  options.threads = threads;
  FitResult r;
  {
    nb::gil_scoped_release unlocked;
    const bool made = !edges && wants_edges(settings);
    const Csr found = made ? feature_edges(data, settings) : Csr();
    if (made) data.lent_edges = found;
    r = fit(data, settings, options);
  }
  progress.rethrow();
  nb::dict out;
  out["model"] = r.model;
  out["predictions"] = arrays_of(std::move(r.predictions));
  out["history"] = history_of(r.report.history);
  out["result_hash"] = r.report.result_hash;
  out["metrics"] = r.report.json;
  out["best_epoch"] = r.report.best_epoch;
  out["train"] = to_numpy(r.report.split.train);
  out["val"] = to_numpy(r.report.split.val);
  out["interrupted"] = r.report.interrupted;
  return out;
}

nb::tuple predict_graph(const TrainedModel& model, const Rows& features,
                        const std::optional<Rows>& edges, int threads) {
  Predictions p;
  {
    const Dataset data = graph_of(features, edges, model.classes());
    nb::gil_scoped_release unlocked;
    p = predict(model, data, threads);
  }
  return arrays_of(std::move(p));
}

nb::bytes bytes_of(const TrainedModel& model) {
  const std::string_view b = model.bytes();
  return nb::bytes(b.data(), b.size());
}

TrainedModel from_bytes(const nb::bytes& b) {
  return TrainedModel::from_bytes({b.c_str(), b.size()});
}

}  // namespace

void bind_model(nb::module_& m) {
  nb::class_<Rows>(m, "Rows").def(nb::init<AnyArray, AnyArray, Array<float>, Index, Index>(),
                                  nb::arg("indptr"), nb::arg("indices"), nb::arg("data"),
                                  nb::arg("rows"), nb::arg("cols"));
  nb::class_<TrainedModel>(m, "Model")
      .def_static("from_bytes", &from_bytes)
      .def("to_bytes", &bytes_of)
      .def("__getstate__", &bytes_of)
      .def("__setstate__", [](TrainedModel& model,
                              const nb::bytes& b) { new (&model) TrainedModel(from_bytes(b)); })
      .def("save", &TrainedModel::save)
      .def_prop_ro("method", &TrainedModel::method)
      .def_prop_ro("settings", &TrainedModel::settings);
  m.def("fit", &fit_model, nb::arg("features"), nb::arg("edges").none(), nb::arg("labels"),
        nb::arg("classes"), nb::arg("train"), nb::arg("val"), nb::arg("settings"),
        nb::arg("threads"), nb::arg("callback").none());
  m.def("predict_graph", &predict_graph, nb::arg("model"), nb::arg("features"),
        nb::arg("edges").none(), nb::arg("threads"));
}

}  // namespace scrl::python
