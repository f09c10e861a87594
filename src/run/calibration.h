// run/calibration.h: the temperature of a trained model (Guo et al., "On Calibration of Modern
// Neural Networks", ICML 2017).
//
//   p = softmax(log p / T)     T minimises  sum_i NLL_i + (log T)^2 / 2  over labels that the
// protocol allows; the second term, a prior, decides where there are few.
// T changes no prediction. Those labels are the validation nodes under `val`, the test nodes under
// `oracle` and, under `fixed`, the training nodes, each predicted by a model that was trained
// without it. The weights of auto are learned from such predictions and are a temperature already.
#pragma once
#include <limits>
#include <span>
#include <string>

#include "config/json_file.h"
#include "tensor/matrix.h"

namespace scrl {

inline constexpr int kCalibrationBins = 15;  // of the expected calibration error

struct TemperatureResult {
  double temperature = 1;
  std::string labels_from;  // "validation nodes", "test nodes" or "folds of the training nodes"
  Index labels = 0;
  // Expected calibration error on the test nodes, percent; NaN: there are none.
  double error_before = std::numeric_limits<double>::quiet_NaN();
  double error_after = std::numeric_limits<double>::quiet_NaN();
};
Json to_json(const TemperatureResult& r);
TemperatureResult temperature_from_json(const JsonFields& j);

// T for the rows of `log_probs` that have these labels; 1 for none. At least 1/20, at most 20.
double learned_temperature(const Matrix& log_probs, std::span<const NodeId> rows,
                           std::span<const std::int32_t> labels);

}  // namespace scrl
