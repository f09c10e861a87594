// Which epoch counts of a model that learns without labels, and of one that learns in stages
// (train/selection.h).
#include <gtest/gtest.h>

#include "train/fixture.h"

namespace scrl {
namespace {

// What a training leaves behind, bit for bit.
struct Result {
  std::vector<std::vector<float>> weights;
  std::vector<float> log_probs;
  int best_epoch;
  bool operator==(const Result&) const = default;
};

Result train(Fixture& f, TrainState& state, const TrainHooks& hooks = {}) {
  train_model(*f.model, f.data, f.split, f.options, state, hooks);
  f.model->evaluate();
  return {f.weights(), f.model->log_probs.value().packed(), state.best_epoch};
}

TEST(FrozenTrainingTest, NoEpochIsScoredButTheOneThatCounts) {
  for (const std::string method : {"dgi", "grace", "deepwalk", "line"}) {
    Fixture f(method);
    TrainState state;
    TrainHooks hooks;
    hooks.epoch_done = [&](const EpochStats& e) {
      EXPECT_FALSE(e.scored) << method << ", epoch " << e.epoch;
      EXPECT_EQ(e.train_accuracy, 0);
      EXPECT_EQ(e.test.accuracy, 0);
    };
    train(f, state, hooks);
    for (const EpochStats& e : state.history)
      EXPECT_EQ(e.scored, e.epoch == state.best_epoch) << method << ", epoch " << e.epoch;
    EXPECT_GT(state.best().train_accuracy, 30) << method;  // six classes
    EXPECT_GT(state.best().test.accuracy, 20) << method;
    EXPECT_EQ(&oracle_epoch(state), &state.best()) << "the only epoch there is to choose";
    EXPECT_EQ(f.weights(), state.best_params);
  }
}

TEST(FrozenTrainingTest, TheLowestLossOrTheLastPassCountsUnderEveryProtocol) {
  for (const std::string method : {"dgi", "grace", "deepwalk", "line"}) {
    for (const std::string protocol : {"val", "fixed", "oracle"}) {
      Fixture f(method, protocol, {{"lr", "0.03"}});
      TrainState state;
      train(f, state);
      EXPECT_EQ(state.epochs_done, 12);
      if (!f.model->lowest_loss_counts) {
        EXPECT_EQ(state.best_epoch, 12) << method << " " << protocol;
        continue;
      }
      int lowest = 1;
      for (const EpochStats& e : state.history)
        if (e.loss < state.history[static_cast<std::size_t>(lowest - 1)].loss) lowest = e.epoch;
      EXPECT_EQ(state.best_epoch, lowest) << method << " " << protocol;
    }
  }
}

// The labels of validation and test nodes are not there for them.
TEST(FrozenTrainingTest, OtherLabelsDecideNothing) {
  for (const std::string method : {"dgi", "deepwalk"}) {
    Fixture honest(method), flipped(method);
    for (const auto* nodes : {&flipped.split.test, &flipped.split.val})
      for (const NodeId i : *nodes)
        flipped.data.labels[i] =
            static_cast<std::int32_t>((flipped.data.labels[i] + 1) % flipped.data.num_classes());
    TrainState a, b;
    EXPECT_EQ(train(honest, a), train(flipped, b)) << method;
  }
}

TEST(FrozenTrainingTest, PatienceIsWithTheLoss) {
  for (const std::string protocol : {"val", "fixed"}) {
    Fixture f("dgi", protocol, {{"epochs", "500"}, {"patience", "4"}, {"lr", "0.05"}});
    TrainState state;
    const TrainOutcome outcome = train_model(*f.model, f.data, f.split, f.options, state, {});
    EXPECT_EQ(outcome.stopped_because, "patience");
    EXPECT_EQ(state.epochs_done, state.best_epoch + 4);
    for (int e = state.best_epoch; e < state.epochs_done; ++e)
      EXPECT_GE(state.history[static_cast<std::size_t>(e)].loss, state.best().loss);
  }
  // A pass of walks is no descent to judge: all of them are made.
  Fixture f("deepwalk", "val", {{"patience", "1"}});
  TrainState state;
  train(f, state);
  EXPECT_EQ(state.epochs_done, 12);
}

// The classifier of an interrupted run is that of a run which ends there.
TEST(FrozenTrainingTest, AnInterruptedRunHasAClassifier) {
  Fixture f("dgi"), shorter("dgi", "val", {{"epochs", "5"}});
  TrainState state, whole;
  TrainHooks hooks;
  hooks.should_stop = [&] { return state.epochs_done == 5; };
  EXPECT_EQ(train(f, state, hooks), train(shorter, whole));
  EXPECT_TRUE(state.best().scored);
  EXPECT_GT(state.best().train_accuracy, 30);
}

// Stages before the last only prepare; stopped among them, the last epoch has to do.
TEST(StagedTrainingTest, OnlyTheLastStageIsScored) {
  Fixture f("m3s");  // three trainings of four epochs
  TrainState state;
  train(f, state);
  for (const EpochStats& e : state.history) EXPECT_EQ(e.scored, e.epoch > 8);
  EXPECT_GT(state.best_epoch, 8);

  Fixture stopped("m3s");
  TrainState early;
  TrainHooks hooks;
  hooks.should_stop = [&] { return early.epochs_done == 6; };
  train(stopped, early, hooks);
  EXPECT_EQ(early.best_epoch, 6);
  EXPECT_TRUE(early.best().scored);
}

}  // namespace
}  // namespace scrl
