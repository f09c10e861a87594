#include "base/parallel.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace scrl {
namespace {

class ParallelTest : public ::testing::TestWithParam<int> {
 protected:
  void SetUp() override { set_threads(GetParam()); }
  void TearDown() override { set_threads(0); }
};

TEST_P(ParallelTest, EveryIndexIsVisitedOnce) {
  for (const Index n : {0, 1, 7, 64, 1000, 4097}) {
    std::vector<std::atomic<int>> visits(n);
    parallel_for(n, 64, [&](Index begin, Index end) {
      EXPECT_EQ(begin % 64, 0);
      EXPECT_EQ(end, std::min<Index>(n, begin + 64));
      for (Index i = begin; i < end; ++i) ++visits[i];
    });
    for (const auto& v : visits) EXPECT_EQ(v, 1);
  }
}

TEST_P(ParallelTest, ExceptionsComeOutAndThePoolGoesOn) {
  for (int round = 0; round < 20; ++round) {
    EXPECT_THROW(parallel_for(1000, 10,
                              [](Index begin, Index) {
                                if (begin == 500) throw std::runtime_error("chunk 50");
                              }),
                 std::runtime_error);
  }
  std::atomic<Index> sum = 0;
  parallel_for(1000, 10, [&](Index begin, Index end) { sum += end - begin; });
  EXPECT_EQ(sum, 1000);
}

TEST_P(ParallelTest, NestedCallsRunInPlace) {
  std::atomic<Index> sum = 0;
  parallel_for(8, 1, [&](Index, Index) {
    parallel_for(100, 7, [&](Index begin, Index end) { sum += end - begin; });
  });
  EXPECT_EQ(sum, 800);
}

TEST_P(ParallelTest, AForkedChildDoesNotHang) {
  std::atomic<Index> sum = 0;
  const auto work = [&] {
    parallel_for(1000, 10, [&](Index begin, Index end) { sum += end - begin; });
  };
  work();  // the parent's threads exist now, the child's will not
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    alarm(20);  // a hang becomes a signal
    sum = 0;
    work();
    _exit(sum == 1000 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "status " << status;
  work();
  EXPECT_EQ(sum, 2000);
}

TEST_P(ParallelTest, AScopeSaysHowManyThreadsItsCallsUse) {
  const int before = threads();
  for (const int count : {1, 2, 5}) {
    const ThreadScope scope(count);
    EXPECT_EQ(threads(), count);
    std::mutex mutex;
    std::set<std::thread::id> seen;
    parallel_for(200, 1, [&](Index, Index) {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
      const std::lock_guard lock(mutex);
      seen.insert(std::this_thread::get_id());
    });
    EXPECT_LE(static_cast<int>(seen.size()), count);
    const ThreadScope none(0);
    EXPECT_EQ(threads(), count);
  }
  EXPECT_EQ(threads(), before);
}

INSTANTIATE_TEST_SUITE_P(Threads, ParallelTest, ::testing::Values(1, 2, 3, 7));

}  // namespace
}  // namespace scrl
