// serve/listen.h: the socket that a server listens on.
#pragma once
#include <string>

namespace scrl {

struct Listening {
  int socket = -1;
  std::string url;        // "http://127.0.0.1:8080"
  bool loopback = false;  // only this machine can reach it
};

// `host`: an address or a name of this machine; port 0: any that is free. Throws Error(kUsage) when
// there is no such address or the port is taken.
Listening listen_on(const std::string& host, int port);

}  // namespace scrl
