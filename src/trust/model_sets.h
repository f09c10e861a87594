// trust/model_sets.h: prediction sets of a model file: which labels calibrate, and what may be
// promised.
//
// A promise needs labels that had no part in the model. conformal_share keeps some of the
// validation nodes apart (train/split.h): they calibrate, the other validation nodes choose the
// score. Without that share all validation nodes do both. They have also chosen epochs, weights and
// the temperature, so then nothing is promised.
#pragma once
#include <string>

#include "run/model_file.h"
#include "trust/prediction_sets.h"

namespace scrl {

struct ModelSets {
  PredictionSets sets;
  bool guaranteed = false;
  std::string statement;  // one or two sentences: the score, the labels, the promise and for whom
};

// What sets of any coverage are made from, without the model itself.
class SetSource {
 public:
  // Throws Error(kUsage) when the model has no labels for it, or the data is not its own.
  explicit SetSource(const LoadedModel& model);

  // Throws Error(kUsage) when the labels are too few, with the number needed.
  ModelSets sets(double coverage, bool nonempty) const;

  // The q of APS alone, by the same calibration labels, and the sets that it gives to nodes that
  // were not there in training. Those have no place in the graph of the scores, and nothing is
  // promised for them: new nodes need not be like the calibration nodes.
  float aps_quantile(double coverage) const;
  std::vector<bool> sets_of_new(std::span<const std::string> ids, const Matrix& log_probs,
                                float q) const;

 private:
  Matrix log_probs_;
  std::vector<std::string> ids_;
  std::vector<std::int32_t> labels_;
  Csr topology_, features_;
  SetRequest request_;
  bool guaranteed_ = false;
};

// Throws what SetSource throws.
ModelSets sets_of_model(const LoadedModel& model, double coverage, bool nonempty);

}  // namespace scrl
