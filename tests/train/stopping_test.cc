// When training stops before its last epoch, and which epoch then counts (train/trainer.h).
#include <gtest/gtest.h>

#include "train/fixture.h"

namespace scrl {
namespace {

TEST(StoppingTest, PatienceStopsAndSaysSo) {
  Fixture f("gcn");
  f.options.epochs = 500;
  f.options.patience = 5;
  TrainState state;
  const TrainOutcome outcome = train_model(*f.model, f.data, f.split, f.options, state, {});
  EXPECT_EQ(outcome.stopped_because, "patience");
  EXPECT_EQ(state.epochs_done, state.best_epoch + 5);
}

// Costs as the rule sees them, from the record of a training.
std::vector<double> watched(const TrainState& state) {
  std::vector<double> out;
  for (const EpochStats& e : state.history)
    if (e.scored) out.push_back(e.val_loss + e.penalty);
  return out;
}

bool above_mean_of_ten_before(const std::vector<double>& cost, std::size_t i) {
  double sum = 0;
  for (std::size_t j = i - 10; j < i; ++j) sum += cost[j];
  return cost[i] > sum / 10;
}

TEST(StoppingTest, RisingStopsAtTheFirstLossAboveItsMeanAndTakesThatEpoch) {
  for (const std::string method : {"gcn-tf", "m3s"}) {
    Fixture f(method, "val", {{"stop", "rising"}, {"epochs", "2000"}, {"lr", "0.05"}});
    TrainState state;
    const TrainOutcome outcome = train_model(*f.model, f.data, f.split, f.options, state, {});
    EXPECT_EQ(outcome.stopped_because, "rising loss") << method;
    EXPECT_LT(state.epochs_done, 2000);
    EXPECT_EQ(state.best_epoch, state.epochs_done);
    EXPECT_GT(state.best().penalty, 0);
    const std::vector<double> cost = watched(state);
    ASSERT_GE(cost.size(), 12u);
    EXPECT_TRUE(above_mean_of_ten_before(cost, cost.size() - 1)) << method;
    for (std::size_t i = 11; i + 1 < cost.size(); ++i)
      EXPECT_FALSE(above_mean_of_ten_before(cost, i)) << method << ", epoch " << i + 1;
  }
}

TEST(StoppingTest, RisingIsAMatterOfValAlone) {
  for (const std::string protocol : {"fixed", "oracle"}) {
    Fixture f("gcn-tf", protocol, {{"stop", "rising"}, {"epochs", "60"}, {"lr", "0.2"}});
    TrainState state;
    const TrainOutcome outcome = train_model(*f.model, f.data, f.split, f.options, state, {});
    EXPECT_EQ(outcome.stopped_because, "all epochs") << protocol;
    EXPECT_EQ(state.epochs_done, 60) << protocol;
  }
}

TEST(StoppingTest, PatienceBeginsWithTheLastStage) {
  Fixture f("m3s", "val", {{"epochs", "300"}, {"patience", "3"}});
  TrainState state;
  const TrainOutcome outcome = train_model(*f.model, f.data, f.split, f.options, state, {});
  EXPECT_GT(state.epochs_done, 200);
  EXPECT_EQ(outcome.stopped_because, "patience");
  EXPECT_EQ(state.epochs_done, state.best_epoch + 3);
}

}  // namespace
}  // namespace scrl
