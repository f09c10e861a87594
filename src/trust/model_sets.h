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

// Throws Error(kUsage) when the model has no such labels or too few, or the data is not its own.
ModelSets sets_of_model(const LoadedModel& model, double coverage, bool nonempty);

}  // namespace scrl
