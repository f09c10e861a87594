#include "ranks/communicator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <numeric>

#include "support/thread_ranks.h"

namespace scrl {
namespace {

using ::testing::Each;
using ::testing::IsEmpty;
using Numbers = std::vector<int>;

constexpr int kSizes[] = {1, 2, 3, 5};

TEST(CommunicatorTest, EveryRankGetsWhatTheOthersSendToIt) {
  for (const int size : kSizes) {
    std::atomic<Index> sent = 0;
    const auto errors = run_ranks(size, 1, [&](Communicator& ranks) {
      const int me = ranks.rank();
      Numbers send;
      std::vector<Index> counts, received;
      for (int to = 0; to < size; ++to) {  // me + to numbers, to some none
        counts.push_back(me + to);
        for (int i = 0; i < me + to; ++i) send.push_back(100 * me + 10 * to + i);
      }
      const Numbers got = ranks.exchange<int>(std::span<const int>(send), counts, received);
      Numbers expected;
      for (int from = 0; from < size; ++from) {
        EXPECT_EQ(received[static_cast<std::size_t>(from)], from + me);
        for (int i = 0; i < from + me; ++i) expected.push_back(100 * from + 10 * me + i);
      }
      EXPECT_EQ(got, expected);
      sent += ranks.bytes_sent();
    });
    EXPECT_THAT(errors, Each(IsEmpty()));
    Index expected = 0;
    for (int from = 0; from < size; ++from)
      for (int to = 0; to < size; ++to)
        if (from != to)
          expected +=
              (from + to) * static_cast<Index>(sizeof(int)) + static_cast<Index>(sizeof(Index));
    EXPECT_EQ(sent, expected);
  }
}

TEST(CommunicatorTest, BroadcastAndGather) {
  for (const int size : kSizes) {
    const auto errors = run_ranks(size, 1, [&](Communicator& ranks) {
      for (int root = 0; root < size; ++root) {
        Numbers values = ranks.rank() == root ? Numbers{root, 7, 8} : Numbers{1};
        ranks.broadcast(values, root);
        EXPECT_EQ(values, (Numbers{root, 7, 8}));
      }
      const Numbers own(static_cast<std::size_t>(ranks.rank()), ranks.rank());
      Numbers expected;
      for (int r = 0; r < size; ++r)
        expected.insert(expected.end(), static_cast<std::size_t>(r), r);
      EXPECT_EQ(ranks.gather<int>(std::span<const int>(own)), expected);
    });
    EXPECT_THAT(errors, Each(IsEmpty()));
  }
}

// One rank fails; the others are in the middle of something, or have nothing more to do.
TEST(CommunicatorTest, AnErrorOfOneRankEndsAllWithIt) {
  for (const int size : kSizes) {
    for (int failing = 0; failing < size; ++failing) {
      for (const int rounds : {0, 4}) {
        const auto errors = run_ranks(size, 1, [&](Communicator& ranks) {
          for (int round = 0; round < rounds; ++round) {
            if (ranks.rank() == failing && round == 2)
              fail(ErrorKind::kData, "block 7: bad checksum");
            Numbers value = {round};
            ranks.broadcast(value);
          }
          if (ranks.rank() == failing) fail(ErrorKind::kData, "block 7: bad checksum");
        });
        const std::string message = "block 7: bad checksum";
        EXPECT_THAT(errors,
                    Each(size == 1 ? cat("3 ", message) : cat("3 rank ", failing, ": ", message)));
      }
    }
  }
}

TEST(CommunicatorTest, OfSeveralErrorsThatOfTheLowestRankCounts) {
  const auto errors = run_ranks(5, 1, [&](Communicator& ranks) {
    ranks.barrier();
    if (ranks.rank() == 1) throw std::bad_alloc();
    if (ranks.rank() == 3) fail(ErrorKind::kUsage, "three");
    ranks.barrier();
  });
  EXPECT_THAT(errors, Each(std::string("5 rank 1: not enough memory")));
}

TEST(CommunicatorTest, AnyExceptionIsPassedOn) {
  const auto errors = run_ranks(2, 1, [&](Communicator& ranks) {
    if (ranks.rank() == 1) throw std::runtime_error("something else");
    ranks.barrier();
  });
  EXPECT_THAT(errors, Each(std::string("1 rank 1: something else")));
}

// A mistake of the program on one rank is an error on all, not a hang.
TEST(CommunicatorTest, SizesThatDoNotFitAreRefused) {
  const auto errors = run_ranks(3, 1, [&](Communicator& ranks) {
    const Numbers send(3);
    const std::vector<Index> counts(ranks.rank() == 2 ? 2 : 3, 1);
    std::vector<Index> received;
    ranks.exchange<int>(std::span<const int>(send), counts, received);
  });
  EXPECT_THAT(errors, Each(::testing::HasSubstr("2 sizes for 3 ranks")));
}

// After an error the computation is over on all ranks.
TEST(CommunicatorTest, NothingGoesOnAfterAnError) {
  std::atomic<int> refused = 0;
  run_ranks(3, 1, [&](Communicator& ranks) {
    try {
      if (ranks.rank() == 0) fail(ErrorKind::kRun, "no");
      ranks.barrier();
    } catch (const Error&) {
      if (ranks.rank() == 0) throw;
      EXPECT_THROW(ranks.barrier(), Error);
      ++refused;
      throw;
    }
  });
  EXPECT_EQ(refused, 2);
}

}  // namespace
}  // namespace scrl
