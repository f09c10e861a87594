#include "train/epoch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "data/demo.h"
#include "models/registry.h"
#include "train/prepare.h"
#include "train/split.h"

namespace scrl {
namespace {

// Weights of a model after three epochs whose first layer is large enough to be updated by
// products.
std::vector<std::vector<float>> trained(bool defer, const char* input_dropout, bool& deferred) {
  const Dataset data = make_demo(":nodes=300,features=5000,words=30");
  const auto method = make_method("scrl");
  OptionSet set;
  method->bind(set);
  set.set("hidden1", "256", "test");
  set.set("input_dropout", input_dropout, "test");
  const Operands operands = prepare(data, {}, kTopology | kFeatureGraph);
  const Split split = choose_split(data, {}, true, 3);
  const auto model = method->build(model_inputs(operands, data, split, TrainOptions{.seed = 3}));
  const TrainOptions options{.lr = 0.01, .seed = 3};
  Moments moments;
  Epoch epoch(*model, data, split, options, moments);
  model->tape.defer_gradients(defer);
  deferred = false;
  for (int e = 1; e <= 3; ++e) {
    epoch.gradients(e);
    for (const auto& p : model->params) deferred |= p->pending.A != nullptr;
    epoch.update(e);
  }
  std::vector<std::vector<float>> weights;
  for (const auto& p : model->params) weights.push_back(p->value.packed());
  return weights;
}

TEST(EpochTest, GradientsLeftToTheUpdateGiveTheSameBits) {
  for (const char* input_dropout : {"0", "0.3"}) {
    bool with = false, without = false;
    const auto a = trained(true, input_dropout, with), b = trained(false, input_dropout, without);
    EXPECT_TRUE(with);
    EXPECT_FALSE(without);
    EXPECT_EQ(a, b) << "input_dropout " << input_dropout;
  }
}

// What update() makes of every parameter, and of the gradients before it.
struct Step {
  std::vector<Matrix> before, grad, after;
  std::vector<bool> decay;
};

Step step(const TrainOptions& options, int number, int begun_after = 0) {
  const Dataset data = make_demo(":nodes=120");
  const auto method = make_method("gcn-tf");  // decays only its first weights
  const Operands operands = prepare(data, {}, kTopology);
  const Split split = choose_split(data, {}, true, 3);
  const auto model = method->build(model_inputs(operands, data, split, options));
  model->steps_begin_after = begun_after;
  Moments moments;
  Epoch epoch(*model, data, split, options, moments);
  epoch.gradients(number);
  Step out;
  for (const auto& p : model->params) {
    out.before.push_back(p->value);
    out.grad.push_back(p->grad);
    out.decay.push_back(p->decay);
  }
  epoch.update(number);
  for (const auto& p : model->params) out.after.push_back(p->value);
  return out;
}

void expect_descent(const Step& s, double lr, double weight_decay) {
  ASSERT_EQ(s.before.size(), 2u);
  EXPECT_NE(s.decay[0], s.decay[1]);
  for (std::size_t k = 0; k < s.before.size(); ++k) {
    double moved = 0;
    for (Index i = 0; i < s.before[k].rows(); ++i)
      for (Index j = 0; j < s.before[k].cols(); ++j) {
        const double w = s.before[k](i, j), wd = s.decay[k] ? weight_decay : 0;
        ASSERT_NEAR(s.after[k](i, j), w - lr * (s.grad[k](i, j) + wd * w), 1e-6);
        moved = std::max(moved, std::abs(s.after[k](i, j) - w));
      }
    EXPECT_EQ(moved > 0, lr > 0);
  }
}

TEST(EpochTest, PlainDescent) {
  expect_descent(step({.lr = 0.5, .weight_decay = 0.125, .optimizer = OptimizerKind::kSgd}, 1), 0.5,
                 0.125);
  expect_descent(step({.lr = 2, .weight_decay = 0, .optimizer = OptimizerKind::kSgd}, 9), 2, 0);
}

TEST(EpochTest, TheRateFallsByOnePercentOfItsFirstValue) {
  const auto rate_of = [](int number, int lr_decay, double lr, int begun_after = 0) {
    expect_descent(
        step({.lr = 0.5, .weight_decay = 0, .optimizer = OptimizerKind::kSgd, .lr_decay = lr_decay},
             number, begun_after),
        lr, 0);
  };
  rate_of(10, 10, 0.5);
  rate_of(11, 10, 0.5 * 0.99);
  rate_of(57, 10, 0.5 * 0.95);
  rate_of(101, 1, 0);
  rate_of(5000, 1, 0);              // never below 0
  rate_of(57, 10, 0.5 * 0.99, 40);  // counted from where the optimiser began anew
  // Adam's first step has the length of the rate, whatever the gradient.
  const Step s = step({.lr = 0.5, .weight_decay = 0, .lr_decay = 2}, 41, 40);
  for (Index j = 0; j < s.before[1].cols(); ++j)
    if (std::abs(s.grad[1](0, j)) > 1e-4f) {
      EXPECT_NEAR(std::abs(s.after[1](0, j) - s.before[1](0, j)), 0.5, 1e-3);
    }
}

}  // namespace
}  // namespace scrl
