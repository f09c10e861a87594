// ranks/communicator.h: several processes, the ranks, that compute one thing together.
//
// Every rank calls the same functions in the same order. Each call begins with an agreement: if a
// rank has failed since the last one, all throw its error instead, so nobody waits for somebody who
// is not going to come. What carries bytes is a Transport: threads of one process
// (ranks/thread_ranks.h) or MPI.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/error.h"
#include "base/function_ref.h"
#include "base/types.h"

namespace scrl {

// Carries bytes between ranks. All ranks make the same calls in the same order.
class Transport {
 public:
  virtual ~Transport() = default;
  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual int largest(int value) = 0;  // of all ranks; also waits until all are here
  virtual void broadcast(std::span<std::byte> bytes, int root) = 0;
  // Consecutive pieces of `send`, one for each rank; `recv` gets one from each, in their order.
  // REQUIRES: both sides agree on the sizes.
  virtual void exchange(std::span<const std::byte> send, std::span<const Index> send_sizes,
                        std::span<std::byte> recv, std::span<const Index> recv_sizes) = 0;
};

class Communicator {
 public:
  // REQUIRES: the transport outlives it.
  explicit Communicator(Transport& transport) : transport_(transport) {}

  int rank() const { return transport_.rank(); }
  int size() const { return transport_.size(); }
  Index bytes_sent() const { return sent_; }  // by exchange() and broadcast(), to other ranks

  void barrier() { agree(); }

  // What rank `root` has. A vector also gets its length.
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void broadcast(std::span<T> values, int root = 0) {
    broadcast_bytes(std::as_writable_bytes(values), root);
  }
  template <class T>
  void broadcast(std::vector<T>& values, int root = 0) {
    Index size = static_cast<Index>(values.size());
    broadcast(std::span(&size, 1), root);
    values.resize(static_cast<std::size_t>(size));
    broadcast(std::span<T>(values), root);
  }

  // send_counts[r] values to rank r, recv_counts[r] from it, side by side in the order of ranks.
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void exchange(std::span<const T> send, std::span<const Index> send_counts, std::span<T> recv,
                std::span<const Index> recv_counts) {
    exchange_bytes(std::as_bytes(send), send_counts, std::as_writable_bytes(recv), recv_counts,
                   static_cast<Index>(sizeof(T)));
  }
  // The same where nobody knows yet what comes: also fills recv_counts.
  template <class T>
  std::vector<T> exchange(std::span<const T> send, std::span<const Index> send_counts,
                          std::vector<Index>& recv_counts) {
    recv_counts = exchange_counts(send_counts);
    Index sum = 0;
    for (const Index count : recv_counts) sum += count;
    std::vector<T> recv(static_cast<std::size_t>(sum));
    exchange<T>(send, send_counts, recv, recv_counts);
    return recv;
  }
  // What every rank has, one after the other, on all of them.
  template <class T>
  std::vector<T> gather(std::span<const T> own) {
    const auto ranks = static_cast<std::size_t>(size());
    std::vector<T> copies;
    for (std::size_t r = 0; r < ranks; ++r) copies.insert(copies.end(), own.begin(), own.end());
    const std::vector<Index> counts(ranks, static_cast<Index>(own.size()));
    std::vector<Index> received;
    return exchange<T>(std::span<const T>(copies), counts, received);
  }

  // Runs a part of the computation on this rank. If it throws, all ranks throw the same error, the
  // one of the lowest rank that failed; with several ranks its message begins with "rank 2: ".
  void run(FunctionRef<void()> body);

 private:
  void agree();  // throws if a rank has failed
  void fail_here(ErrorKind kind, const std::string& message);
  [[noreturn]] void spread_failure(int code);
  void broadcast_bytes(std::span<std::byte> bytes, int root);
  std::vector<Index> exchange_counts(std::span<const Index> send_counts);
  void exchange_bytes(std::span<const std::byte> send, std::span<const Index> send_counts,
                      std::span<std::byte> recv, std::span<const Index> recv_counts,
                      Index value_size);

  Transport& transport_;
  Index sent_ = 0;
  bool ended_ = false;  // by an error that all ranks know
  ErrorKind own_kind_ = ErrorKind::kRun;
  std::string own_error_;
};

}  // namespace scrl
