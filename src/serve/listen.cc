#include "serve/listen.h"

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "base/error.h"

namespace scrl {
namespace {

std::string url_of(int socket) {
  sockaddr_storage address = {};
  socklen_t size = sizeof address;
  char host[64] = "", port[16] = "";
  getsockname(socket, reinterpret_cast<sockaddr*>(&address), &size);
  getnameinfo(reinterpret_cast<const sockaddr*>(&address), size, host, sizeof host, port,
              sizeof port, NI_NUMERICHOST | NI_NUMERICSERV);
  const bool v6 = address.ss_family == AF_INET6;
  return cat("http://", v6 ? "[" : "", host, v6 ? "]" : "", ":", port);
}

bool is_loopback(const sockaddr* address) {
  if (address->sa_family == AF_INET)
    return (ntohl(reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr) >> 24) == 127;
  return IN6_IS_ADDR_LOOPBACK(&reinterpret_cast<const sockaddr_in6*>(address)->sin6_addr);
}

}  // namespace

Listening listen_on(const std::string& host, int port) {
  const addrinfo hints = {.ai_flags = AI_PASSIVE | AI_NUMERICSERV, .ai_socktype = SOCK_STREAM};
  addrinfo* list = nullptr;
  const int failed = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &list);
  if (failed != 0)
    fail(ErrorKind::kUsage, "--host ", host, ": ", gai_strerror(failed),
         "; expected an address of this machine, as 127.0.0.1 or 0.0.0.0");
  const std::unique_ptr<addrinfo, decltype(&freeaddrinfo)> owner(list, freeaddrinfo);
  const int out =
      ::socket(list->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, IPPROTO_TCP);
  const int yes = 1;
  if (out >= 0) setsockopt(out, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (out < 0 || bind(out, list->ai_addr, list->ai_addrlen) != 0 || listen(out, SOMAXCONN) != 0) {
    const int reason = errno;
    if (out >= 0) close(out);
    if (reason == EADDRINUSE)
      fail(ErrorKind::kUsage, "port ", port, " of ", host,
           " is in use already; give another --port, or 0 for any that is free");
    fail(ErrorKind::kUsage, "cannot listen on port ", port, " of ", host, ": ",
         std::strerror(reason));
  }
  return {.socket = out, .url = url_of(out), .loopback = is_loopback(list->ai_addr)};
}

}  // namespace scrl
