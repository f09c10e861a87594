#include "run/calibrate_model.h"

#include <algorithm>

#include "eval/per_class.h"
#include "run/out_of_fold.h"

namespace scrl {
namespace {

// Of the training nodes, each by a model that was trained without it. False: interrupted.
bool predict_folds(const Model& model, const CalibrateModel& o, Matrix& out) {
  o.note(cat("calibration: ", kPortfolioFolds, " trainings without a part of the labels each"));
  return train_out_of_fold({.data = o.data,
                            .config = o.config,
                            .operands = *o.operands,
                            .nodes = o.split.train,
                            .folds = kPortfolioFolds,
                            .seed = o.seed,
                            .embedding = model.fit_classifier ? o.trained : nullptr},
                           o.should_stop,
                           [&](const Model& fold, const std::vector<NodeId>& held_out) {
                             for (const NodeId i : held_out)
                               std::copy_n(fold.log_probs.value().row(i), out.cols(), out.row(i));
                           });
}

const char* labels_from(Protocol protocol) {
  if (protocol == Protocol::kVal) return "validation nodes";
  return protocol == Protocol::kOracle ? "test nodes" : "folds of the training nodes";
}

}  // namespace

Calibrated calibrate_model(Model& model, const CalibrateModel& o) {
  const Protocol protocol = o.config.train.protocol;
  const std::vector<NodeId>& nodes = protocol == Protocol::kVal      ? o.split.val
                                     : protocol == Protocol::kOracle ? o.split.test
                                                                     : o.split.train;
  Matrix predicted;
  if (protocol == Protocol::kFixed) {
    if (!o.config.method || static_cast<int>(nodes.size()) < kPortfolioFolds) return {};
    predicted = Matrix(o.data.nodes, o.data.num_classes());
    if (!predict_folds(model, o, predicted)) return {.interrupted = true};
  }
  std::vector<std::int32_t> labels;
  for (const NodeId i : nodes) labels.push_back(o.data.labels[i]);
  const auto error = [&] {
    if (o.split.test.empty()) return std::numeric_limits<double>::quiet_NaN();
    return calibration(model.log_probs.value(), o.data.labels, o.split.test, kCalibrationBins)
        .expected_error;
  };
  const Matrix& log_probs = predicted.empty() ? model.log_probs.value() : predicted;
  TemperatureResult r = {.temperature = learned_temperature(log_probs, nodes, labels),
                         .labels_from = labels_from(protocol),
                         .labels = static_cast<Index>(nodes.size()),
                         .error_before = error()};
  model.calibrate(r.temperature);
  model.evaluate();
  r.error_after = error();
  return {.result = std::move(r)};
}

}  // namespace scrl
