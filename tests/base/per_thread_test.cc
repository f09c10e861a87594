#include "base/per_thread.h"

#include <gtest/gtest.h>

#include <atomic>
#include <set>
#include <thread>
#include <vector>

namespace scrl {
namespace {

std::atomic<int> alive{0};

struct Counted {
  Counted() { ++alive; }
  ~Counted() { --alive; }
  int value = 0;
};
struct Other : Counted {};

TEST(PerThread, EachThreadHasItsOwnAndItEndsWithTheThread) {
  per_thread<Counted>().value = 7;
  const int before = alive;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([t] {
      Counted& mine = per_thread<Counted>();
      EXPECT_EQ(mine.value, 0);
      mine.value = t;
      EXPECT_NE(&mine, &per_thread<Other>());
      EXPECT_EQ(&mine, &per_thread<Counted>());
      EXPECT_EQ(per_thread<Counted>().value, t);
      EXPECT_GT(alive, 2);
    });
  for (std::thread& t : threads) t.join();
  EXPECT_EQ(alive, before);
  EXPECT_EQ(per_thread<Counted>().value, 7);
}

}  // namespace
}  // namespace scrl
