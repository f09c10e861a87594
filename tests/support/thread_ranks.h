// support/thread_ranks.h: ranks as threads of the test program.
#pragma once
#include <algorithm>
#include <barrier>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

#include "base/parallel.h"
#include "ranks/communicator.h"

namespace scrl {

// What the ranks of one computation share.
class ThreadGroup {
 public:
  explicit ThreadGroup(int size) : slots_(static_cast<std::size_t>(size)), barrier_(size) {}

 private:
  friend class ThreadTransport;
  struct Slot {
    int value;
    std::span<const std::byte> bytes;
    std::span<const Index> sizes;
  };
  std::vector<Slot> slots_;
  std::barrier<> barrier_;
};

class ThreadTransport : public Transport {
 public:
  ThreadTransport(ThreadGroup& group, int rank) : group_(group), rank_(rank) {}
  int rank() const override { return rank_; }
  int size() const override { return static_cast<int>(group_.slots_.size()); }
  int largest(int value) override {
    slot(rank_).value = value;
    group_.barrier_.arrive_and_wait();
    int most = value;
    for (int r = 0; r < size(); ++r) most = std::max(most, slot(r).value);
    group_.barrier_.arrive_and_wait();
    return most;
  }
  void broadcast(std::span<std::byte> bytes, int root) override {
    slot(rank_).bytes = bytes;
    group_.barrier_.arrive_and_wait();
    const bool fits = slot(root).bytes.size() == bytes.size();
    if (fits && rank_ != root) std::ranges::copy(slot(root).bytes, bytes.begin());
    group_.barrier_.arrive_and_wait();
    check(fits, "broadcast: rank ", rank_, " expects another number of bytes");
  }
  void exchange(std::span<const std::byte> send, std::span<const Index> send_sizes,
                std::span<std::byte> recv, std::span<const Index> recv_sizes) override {
    slot(rank_).bytes = send, slot(rank_).sizes = send_sizes;
    group_.barrier_.arrive_and_wait();
    bool fits = true;
    auto to = recv.begin();
    for (int r = 0; r < size(); ++r) {
      const auto sizes = slot(r).sizes;
      Index before = 0;
      for (int q = 0; q < rank_; ++q) before += sizes[static_cast<std::size_t>(q)];
      const Index own = sizes[static_cast<std::size_t>(rank_)];
      fits = fits && own == recv_sizes[static_cast<std::size_t>(r)];
      if (fits)
        to = std::ranges::copy(slot(r).bytes.subspan(static_cast<std::size_t>(before),
                                                     static_cast<std::size_t>(own)),
                               to)
                 .out;
    }
    group_.barrier_.arrive_and_wait();
    check(fits, "exchange: rank ", rank_, " expects another number of bytes");
  }

 private:
  ThreadGroup::Slot& slot(int r) { return group_.slots_[static_cast<std::size_t>(r)]; }
  ThreadGroup& group_;
  const int rank_;
};

// body(communicator) on every rank, `threads` of its own each. Returns the message of the error
// with which each of them ended, empty: none.
inline std::vector<std::string> run_ranks(int size, int threads,
                                          const std::function<void(Communicator&)>& body) {
  ThreadGroup group(size);
  std::vector<std::string> errors(static_cast<std::size_t>(size));
  std::vector<std::thread> ranks;
  for (int rank = 0; rank < size; ++rank) {
    ranks.emplace_back([&, rank] {
      const ThreadScope scope(threads);
      ThreadTransport transport(group, rank);
      Communicator communicator(transport);
      try {
        communicator.run([&] { body(communicator); });
      } catch (const Error& e) {
        errors[static_cast<std::size_t>(rank)] =
            cat(static_cast<int>(e.kind()), " ", std::string(e.what()));
      }
    });
  }
  for (std::thread& rank : ranks) rank.join();
  return errors;
}

}  // namespace scrl
