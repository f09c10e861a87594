#include "tune/tune_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace scrl {
namespace {

using ::testing::ElementsAre;

// A search without data: trial n has the score table[n], or n-dependent noise by seed.
struct Fake {
  std::vector<Trial> trials;
  std::vector<std::string> log;  // "3:2": trial 3 brought to two seeds
  int space = 1000, stop_after = 1000;
  std::function<double(int trial, int seed)> accuracy;

  explicit Fake(int fixed) {
    for (int i = 1; i <= fixed; ++i)
      trials.push_back({.number = i, .kind = "default", .fixed = true});
  }
  bool run(const SearchPlan& plan) {
    SearchSteps steps;
    steps.draw = [&] {
      if (static_cast<int>(trials.size()) >= space) return false;
      trials.push_back({.number = static_cast<int>(trials.size()) + 1, .kind = "drawn"});
      return true;
    };
    steps.train = [&](std::size_t i, int seeds) {
      if (static_cast<int>(log.size()) >= stop_after) return false;
      Trial& t = trials[i];
      log.push_back(cat(t.number, ":", seeds));
      for (int s = static_cast<int>(t.scores.size()); s < seeds; ++s) {
        const double a = accuracy(t.number, s);
        if (a < 0) {
          t.failure = "no";
          return true;
        }
        t.scores.push_back({a, a / 2});
      }
      return true;
    };
    return search(trials, plan, steps);
  }
};

TEST(TuneSearchTest, Rungs) {
  EXPECT_THAT(rungs_of(1), ElementsAre(1));
  EXPECT_THAT(rungs_of(3), ElementsAre(1, 2, 3));
  EXPECT_THAT(rungs_of(5), ElementsAre(1, 2, 3, 5));
  EXPECT_THAT(rungs_of(8), ElementsAre(1, 2, 4, 8));
}

TEST(TuneSearchTest, BestThirdGoesOnAndTheFixedOneWithIt) {
  Fake f(1);
  f.accuracy = [](int trial, int) { return trial == 1 ? 10.0 : 50.0 + trial; };
  const SearchPlan plan{.rungs = {1, 2, 4}, .trials = 8};
  EXPECT_TRUE(f.run(plan));
  // Seven drawn; three of them, the highest numbers, go on, then one.
  EXPECT_THAT(f.log, ElementsAre("1:1", "2:1", "3:1", "4:1", "5:1", "6:1", "7:1", "8:1", "1:2",
                                 "8:2", "7:2", "6:2", "1:4", "8:4"));
  EXPECT_EQ(best_trial(f.trials, plan.rungs)->number, 8);
  int seeds = 0;
  for (const Trial& t : f.trials) seeds += static_cast<int>(t.scores.size());
  EXPECT_EQ(planned_trainings(plan, 1), seeds);
}

TEST(TuneSearchTest, BestIsNeverWorseThanTheFixedOneOnItsSeeds) {
  // A drawn trial that is lucky with the first seeds, and not afterwards.
  Fake f(1);
  f.accuracy = [](int trial, int seed) { return trial == 1 ? 60.0 : seed < 2 ? 70.0 : 40.0; };
  const SearchPlan plan{.rungs = {1, 2, 4}, .trials = 4};
  f.stop_after = 6;  // after rung 2
  EXPECT_FALSE(f.run(plan));
  EXPECT_EQ(best_trial(f.trials, plan.rungs)->number, 2);
  Fake whole(1);
  whole.accuracy = f.accuracy;
  EXPECT_TRUE(whole.run(plan));
  EXPECT_EQ(best_trial(whole.trials, plan.rungs)->number, 1);
  EXPECT_EQ(ranking(whole.trials, plan.rungs).front()->number, 1);
}

TEST(TuneSearchTest, TiesGoToMacroF1ThenToTheLowerNumber) {
  Trial a{.number = 2, .scores = {{50, 40}, {60, 50}}},
      b{.number = 5, .scores = {{60, 30}, {50, 70}}};
  EXPECT_TRUE(ranks_before(b, a, 2));
  EXPECT_FALSE(ranks_before(a, b, 2));
  EXPECT_TRUE(ranks_before(b, a, 1));
  b.scores = a.scores;
  EXPECT_TRUE(ranks_before(a, b, 2));
  EXPECT_FALSE(ranks_before(b, a, 2));
}

TEST(TuneSearchTest, FailuresArePassedOver) {
  Fake f(2);
  // The best trial fails with its second seed, the paper's with its first.
  f.accuracy = [](int trial, int seed) {
    return trial == 2 || (trial == 8 && seed == 1) ? -1.0 : 50.0 + trial;
  };
  const SearchPlan plan{.rungs = {1, 2}, .trials = 8};
  EXPECT_TRUE(f.run(plan));
  EXPECT_EQ(best_trial(f.trials, plan.rungs)->number, 7);
  for (const Trial* t : ranking(f.trials, plan.rungs)) EXPECT_FALSE(t->failed());
  Fake all(1);
  all.accuracy = [](int, int) { return -1.0; };
  EXPECT_TRUE(all.run(plan));
  EXPECT_EQ(best_trial(all.trials, plan.rungs), nullptr);
  EXPECT_EQ(all.log.size(), 8u);  // each once
}

TEST(TuneSearchTest, RoundsWithoutAnEnd) {
  Fake f(1);
  f.stop_after = 200;
  f.accuracy = [](int trial, int) { return (trial * 37) % 101; };
  const SearchPlan plan{.rungs = {1, 2, 4}, .trials = 0, .round = 9};
  EXPECT_FALSE(f.run(plan));
  EXPECT_EQ(f.log[10], "1:2");  // the first round: ten trials, then the next rung
  EXPECT_GT(f.trials.size(), 60u);
  // Nobody in the best third of all is left behind by the last whole round.
  std::map<std::size_t, int> at_least;
  for (const Trial& t : f.trials)
    for (const std::size_t s : {1, 2, 4}) at_least[s] += t.scores.size() >= s;
  EXPECT_GE(at_least[2], static_cast<int>(f.trials.size() - 9) / 3);
  Fake small(1);
  small.space = 5;
  small.accuracy = f.accuracy;
  EXPECT_TRUE(small.run(plan));  // the space is used up
  EXPECT_EQ(small.trials.size(), 5u);
}

TEST(TuneSearchTest, OneTrialAlone) {
  Fake f(1);
  f.accuracy = [](int, int) { return 1.0; };
  const SearchPlan plan{.rungs = {1, 2}, .trials = 1};
  EXPECT_TRUE(f.run(plan));
  EXPECT_THAT(f.log, ElementsAre("1:1", "1:2"));
  EXPECT_EQ(best_trial(f.trials, plan.rungs)->number, 1);
}

}  // namespace
}  // namespace scrl
