#include "models/linear_probe.h"

#include <gtest/gtest.h>

#include <cmath>

#include "linear/cross_validate.h"
#include "linear/logistic.h"
#include "linear/softmax_adam.h"
#include "models/small.h"

namespace scrl {
namespace {

// An embedding that nobody learns, classified.
struct Fixed : Model {
  explicit Fixed(const Inputs& in, Head head) {
    Param& Z = uniform_param("Z", in.X.A.rows, 7, 1.0, 3);
    embedding = tape.param(Z);
    linear_probe(*this, in, embedding, head);
  }
  void evaluate() { tape.forward(tape.plan({log_probs, embedding}), Pass{}); }
  void fit() {
    evaluate();
    fit_classifier();
    tape.params_changed();
    evaluate();
  }
};

Matrix unit_rows(const Matrix& Z) {
  Matrix out(Z.rows(), Z.cols());
  for (Index i = 0; i < Z.rows(); ++i) {
    double length = 0;
    for (Index j = 0; j < Z.cols(); ++j) length += double{Z(i, j)} * Z(i, j);
    for (Index j = 0; j < Z.cols(); ++j)
      out(i, j) = static_cast<float>(Z(i, j) / std::sqrt(length));
  }
  return out;
}

class FrozenTest : public testing::TestWithParam<Head> {
 protected:
  Small small;
  LinearClassifier expected(const Matrix& Z) const {
    const Inputs in = small.inputs(true);
    if (GetParam() == Head::kSoftmax)
      return softmax_adam(Z, in.train, in.train_labels, in.classes, in.seed);
    if (GetParam() == Head::kOneVsRest)
      return logistic_one_vs_rest(Z, in.train, in.train_labels, in.classes, 1.0);
    return logistic_cv(unit_rows(Z), in.train, in.train_labels, in.classes, in.seed);
  }
};

TEST_P(FrozenTest, TheClassifierIsTheHeadOnTheLabelledRows) {
  auto in = std::make_unique<Inputs>(small.inputs(true));
  Fixed model(*in, GetParam());
  in.reset();  // it must not be needed any more
  model.fit();
  const LinearClassifier head = expected(model.embedding.value());
  const Matrix &W = param_of(model, "head_W").value, &b = param_of(model, "head_b").value;
  for (Index c = 0; c < W.cols(); ++c) {
    EXPECT_NEAR(b(0, c), head.b(0, c), 1e-5);
    for (Index j = 0; j < W.rows(); ++j) EXPECT_NEAR(W(j, c), head.W(j, c), 1e-5);
  }
}

TEST_P(FrozenTest, LogProbabilitiesComeFromIt) {
  Fixed model(small.inputs(true), GetParam());
  model.fit();
  const Matrix &Z = model.embedding.value(), &logp = model.log_probs.value();
  const Matrix R = GetParam() == Head::kCrossValidated ? unit_rows(Z) : Z;
  const LinearClassifier head = expected(Z);
  for (Index i = 0; i < Z.rows(); ++i) {
    std::vector<double> score;
    double sum = 0;
    for (Index c = 0; c < logp.cols(); ++c) {
      score.push_back(head.b(0, c));
      for (Index j = 0; j < Z.cols(); ++j) score.back() += double{R(i, j)} * head.W(j, c);
      sum += std::exp(score.back());
    }
    for (Index c = 0; c < logp.cols(); ++c)
      EXPECT_NEAR(logp(i, c), score[c] - std::log(sum), 2e-5) << i;
  }
}

TEST_P(FrozenTest, NoOptimiserTouchesIt) {
  Fixed model(small.inputs(true), GetParam());
  for (const char* name : {"head_W", "head_b"}) {
    EXPECT_FALSE(param_of(model, name).trained);
    EXPECT_TRUE(param_of(model, name).predicts);
  }
}

// Before it is fitted all classes are alike.
TEST_P(FrozenTest, StartsEven) {
  Fixed model(small.inputs(true), GetParam());
  model.evaluate();
  EXPECT_NEAR(model.log_probs.value()(3, 2), -std::log(6.0), 1e-6);
}

// A class without a label among the training nodes has a probability all the same.
TEST_P(FrozenTest, AClassWithoutLabels) {
  Inputs in = small.inputs(true);
  in.classes = 8;
  Fixed model(in, GetParam());
  model.fit();
  for (Index i = 0; i < small.data.nodes; ++i) {
    double sum = 0;
    for (Index c = 0; c < 8; ++c) {
      ASSERT_TRUE(std::isfinite(model.log_probs.value()(i, c)));
      sum += std::exp(double{model.log_probs.value()(i, c)});
    }
    EXPECT_NEAR(sum, 1, 1e-5);
  }
}

INSTANTIATE_TEST_SUITE_P(Heads, FrozenTest,
                         testing::Values(Head::kSoftmax, Head::kOneVsRest, Head::kCrossValidated),
                         [](const auto& one) {
                           return one.param == Head::kSoftmax     ? "softmax"
                                  : one.param == Head::kOneVsRest ? "one_vs_rest"
                                                                  : "cross_validated";
                         });

}  // namespace
}  // namespace scrl
