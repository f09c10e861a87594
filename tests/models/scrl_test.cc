// tests/models/scrl_test.cc: what belongs to scrl alone; its equations are in tests/parity.
#include "models/scrl.h"

#include <gtest/gtest.h>

#include <cmath>

#include "models/small.h"

namespace scrl {
namespace {

TEST(ScrlTest, PrototypesHaveUnitRowsWhenAnEpochBegins) {
  const Small small;
  Scrl model(small.inputs(true), {.hidden1 = 8, .hidden2 = 4});
  const Pass pass{.training = true, .seed = 5, .epoch = 1};
  model.begin_epoch(pass);
  const Matrix& C = param_of(model, "C").value;
  ASSERT_EQ(C.rows(), small.data.num_classes());
  for (Index c = 0; c < C.rows(); ++c) {
    double length = 0;
    for (const float v : C.row_span(c)) length += static_cast<double>(v) * v;
    EXPECT_NEAR(length, 1, 1e-5);
  }
}

// The prototypes take part in the prediction, so classes are never decided by the classifier alone.
TEST(ScrlTest, PredictionsArePooledOverClassifierAndBothViews) {
  const Small small;
  Scrl model(small.inputs(false), {.hidden1 = 8, .hidden2 = 4});
  model.evaluate();
  const Matrix before = model.log_probs.value();
  param_of(model, "C").value.fill(0.5f);  // all prototypes alike: no view tells classes apart
  model.tape.params_changed();
  model.evaluate();
  double difference = 0;
  for (Index i = 0; i < before.rows(); ++i) {
    double sum = 0;
    for (Index c = 0; c < before.cols(); ++c) {
      difference =
          std::max<double>(difference, std::abs(before(i, c) - model.log_probs.value()(i, c)));
      sum += std::exp(static_cast<double>(model.log_probs.value()(i, c)));
    }
    EXPECT_NEAR(sum, 1, 1e-5);
  }
  EXPECT_GT(difference, 1e-3);
}

}  // namespace
}  // namespace scrl
