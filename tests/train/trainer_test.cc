#include "train/trainer.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

#include "base/error.h"
#include "base/parallel.h"
#include "models/registry.h"
#include "support/errors.h"
#include "train/fixture.h"

// Counts what the process allocates, to hold training to its promise.
#pragma GCC diagnostic ignored "-Wmismatched-new-delete"  // the pairs below do match
namespace {
std::atomic<long> allocations{0};
}
void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size ? size : 1)) return p;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  ++allocations;
  const auto a = static_cast<std::size_t>(alignment);
  if (void* p = std::aligned_alloc(a, (size + a - 1) / a * a)) return p;
  throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }

namespace scrl {
namespace {

class EveryMethod : public ::testing::TestWithParam<std::string> {
  void TearDown() override { set_threads(0); }
};

TEST_P(EveryMethod, TheSameBitsForAnyThreadCount) {
  std::vector<std::vector<float>> first;
  for (const int count : {1, 2, 3}) {
    set_threads(count);
    Fixture f(GetParam());
    TrainState state;
    train_model(*f.model, f.data, f.split, f.options, state, {});
    if (first.empty())
      first = f.weights();
    else
      EXPECT_EQ(first, f.weights()) << count << " threads";
  }
}

TEST_P(EveryMethod, TheLossFalls) {
  Fixture::Values more = {{"epochs", "40"}};
  if (GetParam() == "line") more.emplace_back("samples", "1000000");  // it learns slowly
  if (GetParam() == "scrl") more.emplace_back("alpha", "0");  // whose weight grows by design
  Fixture f(GetParam(), "fixed", more);
  TrainState state;
  train_model(*f.model, f.data, f.split, f.options, state, {});
  EXPECT_LT(state.history.back().loss, 0.97 * state.history.front().loss);
}

TEST_P(EveryMethod, NothingIsAllocatedAfterTheFirstEpochs) {
  // One thread: among several, each makes its scratch when work first reaches it, early or late.
  set_threads(1);
  // A new stage is not an epoch like others.
  Fixture f(GetParam(), "fixed",
            GetParam() == "m3s" ? Fixture::Values{{"stages", "0"}} : Fixture::Values{});
  std::vector<long> counts;
  counts.reserve(20);
  TrainHooks hooks;
  hooks.epoch_done = [&](const EpochStats&) { counts.push_back(allocations.load()); };
  TrainState state;
  train_model(*f.model, f.data, f.split, f.options, state, hooks);
  for (std::size_t i = 3; i < counts.size(); ++i)
    EXPECT_EQ(counts[i] - counts[i - 1], 0) << "epoch " << i + 1;
}

TEST_P(EveryMethod, AStateGoesOnToTheSameBits) {
  Fixture whole(GetParam());
  TrainState unbroken;
  train_model(*whole.model, whole.data, whole.split, whole.options, unbroken, {});

  for (const int stop : {1, 5, 11}) {
    Fixture f(GetParam());
    TrainState state;
    std::string file;
    TrainHooks hooks;
    hooks.maybe_checkpoint = [&](const TrainState& s) {
      if (s.epochs_done != stop) return;
      ContainerWriter out("checkpoint", 1);
      save_state(s, *f.model, out);
      file = out.finish();
    };
    hooks.should_stop = [&] { return state.epochs_done == stop; };
    EXPECT_TRUE(train_model(*f.model, f.data, f.split, f.options, state, hooks).interrupted);

    // A run that goes on later can be used now.
    f.model->evaluate();
    EXPECT_TRUE(state.best().scored);

    f.build();  // fresh weights, as in a new process
    TrainState resumed = load_state(
        ContainerReader("memory", std::as_bytes(std::span(file)), "checkpoint", 1), *f.model);
    train_model(*f.model, f.data, f.split, f.options, resumed, {});
    EXPECT_EQ(f.weights(), whole.weights()) << "stopped after " << stop;
    EXPECT_EQ(resumed.best_epoch, unbroken.best_epoch);
  }
}

std::vector<std::string> names() {
  std::vector<std::string> out;
  for (const MethodInfo& info : method_list()) out.push_back(info.name);
  return out;
}
INSTANTIATE_TEST_SUITE_P(Methods, EveryMethod, ::testing::ValuesIn(names()),
                         [](const auto& one) { return replaced(one.param, "-", "_"); });

TEST(TrainerTest, ProtocolsChooseTheEpochTheyPromise) {
  for (const std::string protocol : {"val", "fixed", "oracle"}) {
    Fixture f("gcn", protocol);
    TrainState state;
    train_model(*f.model, f.data, f.split, f.options, state, {});
    int expected = 1;
    for (const EpochStats& e : state.history) {
      const EpochStats& best = state.history[static_cast<std::size_t>(expected - 1)];
      if (protocol == "fixed" || (protocol == "oracle" && e.test.accuracy > best.test.accuracy) ||
          (protocol == "val" &&
           (e.val.accuracy > best.val.accuracy ||
            (e.val.accuracy == best.val.accuracy && e.val_loss < best.val_loss))))
        expected = e.epoch;
    }
    EXPECT_EQ(state.best_epoch, expected) << protocol;
    // The model holds that epoch's parameters.
    f.model->evaluate();
    EXPECT_EQ(f.weights(), state.best_params) << protocol;
  }
}

// Flipping every test label must not change what val and fixed choose.
TEST(TrainerTest, TestLabelsDecideNothing) {
  for (const std::string protocol : {"val", "fixed"}) {
    Fixture honest("gcn", protocol), flipped("gcn", protocol);
    for (const NodeId i : flipped.split.test)
      flipped.data.labels[i] =
          static_cast<std::int32_t>((flipped.data.labels[i] + 1) % flipped.data.num_classes());
    TrainState a, b;
    train_model(*honest.model, honest.data, honest.split, honest.options, a, {});
    train_model(*flipped.model, flipped.data, flipped.split, flipped.options, b, {});
    EXPECT_EQ(a.best_epoch, b.best_epoch);
    EXPECT_EQ(honest.weights(), flipped.weights());
  }
}

TEST(TrainerTest, DivergenceIsAnErrorOfItsOwn) {
  Fixture f("gcn");
  f.model->params[0]->value(0, 0) = std::numeric_limits<float>::quiet_NaN();
  f.model->tape.params_changed();
  TrainState state;
  try {
    train_model(*f.model, f.data, f.split, f.options, state, {});
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kDiverged);
    EXPECT_NE(std::string(e.what()).find("epoch 1: the loss is no longer a number"),
              std::string::npos)
        << e.what();
  }
}

// The step itself may break the model: the loss before it was fine, what it predicts is not.
TEST(TrainerTest, APredictionThatIsNoNumberIsDivergenceToo) {
  Fixture f("gcn", "fixed");
  f.options.lr = 1e38;
  f.options.epochs = 1;
  TrainState state;
  EXPECT_THROW(train_model(*f.model, f.data, f.split, f.options, state, {}), Error);
  EXPECT_EQ(state.best_epoch, 0);
}

TEST(TrainerTest, AStateOfAnotherShapeIsRefused) {
  Fixture small("gcn"), other("mlp");
  TrainState state;
  train_model(*small.model, small.data, small.split, small.options, state, {});
  ContainerWriter out("checkpoint", 1);
  save_state(state, *small.model, out);
  const std::string file = out.finish();
  try {
    load_state(
        ContainerReader("run/checkpoint.scrl", std::as_bytes(std::span(file)), "checkpoint", 1),
        *make_method("scrl")->build({.X = small.operands.X,
                                     .A_t = small.operands.A_t.get(),
                                     .A_f = small.operands.A_t.get(),
                                     .classes = 6}));
    FAIL() << "no error";
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::kModelFile);
  }
}

}  // namespace
}  // namespace scrl
