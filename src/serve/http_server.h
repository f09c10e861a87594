// serve/http_server.h: a Service behind a socket, by libmicrohttpd: two threads with epoll. A
// request that waits for the worker holds no thread.
#pragma once
#include <memory>
#include <string>

#include "serve/listen.h"
#include "serve/service.h"

namespace scrl {

// Whether this program was built with libmicrohttpd.
bool has_http_server();

class HttpServer {
 public:
  static constexpr std::size_t kMaxBody = std::size_t{8} << 20;
  static constexpr unsigned kConnections = 64;  // others wait until one ends

  // Answers from then on. Takes the socket.
  HttpServer(Service& service, const Listening& listening);
  ~HttpServer();  // drains first

  // Takes no new connection, ends what has begun, and stops. False: not all could be ended in time.
  bool drain();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace scrl
