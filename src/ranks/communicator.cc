#include "ranks/communicator.h"

#include <algorithm>
#include <new>
#include <numeric>

namespace scrl {
namespace {

Index sum_of(std::span<const Index> sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), Index{0});
}

}  // namespace

void Communicator::run(FunctionRef<void()> body) {
  try {
    body();
    agree();  // nobody goes on while another may still fail
  } catch (const Error& e) {
    if (ended_) throw;
    fail_here(e.kind(), e.what());
  } catch (const std::bad_alloc&) {
    fail_here(ErrorKind::kResource, "not enough memory");
  } catch (const std::exception& e) {
    fail_here(ErrorKind::kRun, e.what());
  }
}

void Communicator::fail_here(ErrorKind kind, const std::string& message) {
  own_kind_ = kind, own_error_ = message;
  spread_failure(transport_.largest(size() - rank()));
}

void Communicator::agree() {
  check(!ended_, "ranks: the computation has ended by an error");
  if (const int code = transport_.largest(0)) spread_failure(code);
}

void Communicator::spread_failure(int code) {
  ended_ = true;
  const int root = size() - code;
  struct {
    std::int32_t kind;
    Index length;
  } head = {static_cast<std::int32_t>(own_kind_), static_cast<Index>(own_error_.size())};
  transport_.broadcast(std::as_writable_bytes(std::span(&head, 1)), root);
  std::string message = own_error_;
  message.resize(static_cast<std::size_t>(head.length));
  transport_.broadcast(std::as_writable_bytes(std::span(message)), root);
  fail(static_cast<ErrorKind>(head.kind), size() > 1 ? cat("rank ", root, ": ") : "", message);
}

void Communicator::broadcast_bytes(std::span<std::byte> bytes, int root) {
  check(root >= 0 && root < size(), "broadcast: rank ", root, " of ", size());
  agree();
  transport_.broadcast(bytes, root);
  if (rank() == root) sent_ += static_cast<Index>(bytes.size()) * (size() - 1);
}

std::vector<Index> Communicator::exchange_counts(std::span<const Index> send_counts) {
  const auto ranks = static_cast<std::size_t>(size());
  check(send_counts.size() == ranks, "exchange: ", send_counts.size(), " sizes for ", ranks,
        " ranks");
  std::vector<Index> recv_counts(ranks);
  const std::vector<Index> one(ranks, 1);
  exchange<Index>(send_counts, one, recv_counts, one);
  return recv_counts;
}

void Communicator::exchange_bytes(std::span<const std::byte> send,
                                  std::span<const Index> send_counts, std::span<std::byte> recv,
                                  std::span<const Index> recv_counts, Index value_size) {
  const auto bytes_of = [&](std::span<const Index> counts, std::size_t all, const char* what) {
    check(static_cast<int>(counts.size()) == size() &&
              sum_of(counts) * value_size == static_cast<Index>(all) &&
              std::ranges::all_of(counts, [](Index c) { return c >= 0; }),
          "exchange: what is ", what, " does not fit its sizes");
    std::vector<Index> bytes(counts.begin(), counts.end());
    for (Index& b : bytes) b *= value_size;
    return bytes;
  };
  const std::vector<Index> out = bytes_of(send_counts, send.size(), "sent");
  const std::vector<Index> in = bytes_of(recv_counts, recv.size(), "received");
  agree();
  transport_.exchange(send, out, recv, in);
  sent_ += sum_of(out) - out[static_cast<std::size_t>(rank())];
}

}  // namespace scrl
