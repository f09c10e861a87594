#include "train/epoch.h"

#include <gtest/gtest.h>

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
  Epoch epoch(*model, data, split, options);
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

}  // namespace
}  // namespace scrl
