#include "serve/deadlines.h"

#include <sys/socket.h>

#include "serve/answers.h"

namespace scrl {
namespace {

using namespace std::chrono_literals;

constexpr auto kEvery = 100ms;

// An answer may be large and the line slow; the HTTP library ends a connection that stands still.
constexpr std::chrono::milliseconds limit(Deadlines::Phase phase) {
  return phase == Deadlines::Phase::kAnswer ? 60s : 5s;
}

}  // namespace

Deadlines::~Deadlines() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  stop_.notify_all();
  watch_.join();
  for (Connection* c : connections_) delete c;
}

Deadlines::Connection* Deadlines::opened(int socket) {
  auto* c = new Connection{.socket = socket,
                           .until = std::chrono::steady_clock::now() + limit(Phase::kIdle)};
  std::lock_guard lock(mutex_);
  connections_.insert(c);
  metrics_.connections = static_cast<std::int64_t>(connections_.size());
  return c;
}

void Deadlines::closed(Connection* c) {
  std::lock_guard lock(mutex_);
  connections_.erase(c);
  delete c;
  metrics_.connections = static_cast<std::int64_t>(connections_.size());
}

bool Deadlines::enter(Connection* c, Phase phase) {
  std::lock_guard lock(mutex_);
  if (c->ended) return false;
  c->until = std::chrono::steady_clock::now() + limit(phase);
  c->phase = phase;
  return true;
}

void Deadlines::watch() {
  std::unique_lock lock(mutex_);
  while (!stop_.wait_for(lock, kEvery, [&] { return stopping_; })) {
    const auto now = std::chrono::steady_clock::now();
    for (Connection* c : connections_)
      if (!c->ended && now > c->until) end(*c);
  }
}

// While the lock is held the socket stays open, and nothing else answers in phases kHead and kBody.
void Deadlines::end(Connection& c) {
  c.ended = true;
  if (c.phase == Phase::kHead || c.phase == Phase::kBody) {
    const Reply reply = problem_reply(408, "the request took more than 5 seconds to arrive");
    const std::string text =
        cat("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Type: ", reply.type,
            "\r\nContent-Length: ", reply.body.size(), "\r\n\r\n", reply.body);
    [[maybe_unused]] const auto sent =
        send(c.socket, text.data(), text.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
  }
  shutdown(c.socket, SHUT_RDWR);
  if (c.phase != Phase::kIdle) metrics_.timed_out.fetch_add(1, std::memory_order_relaxed);
}

}  // namespace scrl
