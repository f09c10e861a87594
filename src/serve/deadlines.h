// serve/deadlines.h: ends connections that take too long. A client that sends a byte now and then
// never looks idle, so what counts is how long the head, the body and the answer of a request take.
#pragma once
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <unordered_set>

#include "serve/metrics.h"

namespace scrl {

class Deadlines {
 public:
  // kIdle ends with the first line of a request, kHead with its head.
  enum class Phase { kIdle, kHead, kBody, kAnswer };
  struct Connection {
    int socket = -1;
    Phase phase = Phase::kIdle;
    std::chrono::steady_clock::time_point until;
    bool ended = false;
  };

  explicit Deadlines(Metrics& metrics) : metrics_(metrics), watch_([this] { watch(); }) {}
  ~Deadlines();

  Connection* opened(int socket);
  void closed(Connection* connection);  // before the socket is closed
  // False: its time was up, and it has been ended.
  bool enter(Connection* connection, Phase phase);

 private:
  void watch();
  void end(Connection& connection);

  Metrics& metrics_;
  std::mutex mutex_;
  std::condition_variable stop_;
  bool stopping_ = false;
  std::unordered_set<Connection*> connections_;
  std::thread watch_;
};

}  // namespace scrl
