// Training and predicting: scrl/model.h for Python. The arrays of the caller are borrowed, the lock
// of the interpreter is free while the engine works, and Ctrl-C is looked for between epochs.
#include "scrl/model.h"

#include <nanobind/stl/map.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <optional>

#include "interrupt.h"
#include "rows.h"

namespace scrl::python {
namespace {

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

nb::dict fit_model(const TrainingData& given, const Settings& settings, int threads,
                   nb::object callback) {
  const Dataset data = given.dataset();
  Progress progress(std::move(callback));
  FitOptions options;
  options.progress = [&](const EpochReport& e) { return progress(e); };
  options.threads = threads;
  FitResult r;
  {
    nb::gil_scoped_release unlocked;
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
  nb::class_<TrainingData>(m, "TrainingData")
      .def(nb::init<Rows, std::optional<Rows>, Array<std::int32_t>, std::vector<std::string>,
                    Array<std::int32_t>, Array<std::int32_t>>(),
           nb::arg("features"), nb::arg("edges").none(), nb::arg("labels"), nb::arg("classes"),
           nb::arg("train"), nb::arg("val"));
  m.def("fit", &fit_model, nb::arg("data"), nb::arg("settings"), nb::arg("threads"),
        nb::arg("callback").none());
}

}  // namespace scrl::python
