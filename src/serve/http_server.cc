#include "serve/http_server.h"

#include "base/error.h"

#if !SCRL_HAS_MICROHTTPD

namespace scrl {

struct HttpServer::State {};

bool has_http_server() { return false; }

HttpServer::HttpServer(Service&, const Listening&) {
  fail(ErrorKind::kUsage,
       "this scrl was built without libmicrohttpd; install libmicrohttpd-dev and ",
       "build it again");
}
HttpServer::~HttpServer() = default;
bool HttpServer::drain() { return true; }

}  // namespace scrl

#else

#include <microhttpd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>

#include "serve/deadlines.h"
#include "serve/problem.h"

namespace scrl {
namespace {

using Clock = std::chrono::steady_clock;
using Phase = Deadlines::Phase;

constexpr unsigned kThreads = 2;
constexpr unsigned kStandstill = 6;  // seconds in which nothing moves on a connection
constexpr auto kDrainTime = std::chrono::seconds(20);

// One request, from its first line to the end of its answer.
struct Exchange final : Waiting {
  Exchange(std::string_view target_, MHD_Connection* connection_, Deadlines::Connection* deadline_)
      : raw(target_), connection(connection_), deadline(deadline_) {}

  void done() noexcept override { MHD_resume_connection(connection); }

  std::string raw;  // path and query as they came
  MHD_Connection* connection;
  Deadlines::Connection* deadline;
  Clock::time_point begun = Clock::now();
  Target target;
  std::string body;
  bool seen = false, too_large = false, suspended = false;
  int status = 0;  // of the answer that was given; 0: none yet
};

// The length that a request claims; 0: none.
std::size_t claimed_length(MHD_Connection* connection) {
  const char* text = MHD_lookup_connection_value(connection, MHD_HEADER_KIND, "Content-Length");
  if (!text) return 0;
  std::size_t out = 0;
  const std::string_view digits = text;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), out);
  return error == std::errc{} ? out : static_cast<std::size_t>(-1);
}

Reply too_large() {
  return problem_reply(413, cat("the body has more than ", HttpServer::kMaxBody >> 20, " MiB"));
}

}  // namespace

bool has_http_server() { return true; }

struct HttpServer::State {
  State(Service& s, int socket) : service(s), deadlines(s.metrics()) {
    daemon = MHD_start_daemon(MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME, 0, nullptr,
                              nullptr, &on_request, this, MHD_OPTION_LISTEN_SOCKET, socket,
                              MHD_OPTION_THREAD_POOL_SIZE, kThreads, MHD_OPTION_CONNECTION_LIMIT,
                              kConnections, MHD_OPTION_CONNECTION_TIMEOUT, kStandstill,
                              MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_URI_LOG_CALLBACK,
                              &on_first_line, this, MHD_OPTION_NOTIFY_COMPLETED, &on_end, this,
                              MHD_OPTION_NOTIFY_CONNECTION, &on_connection, this, MHD_OPTION_END);
    if (daemon) return;
    close(socket);
    fail(ErrorKind::kRun, "the HTTP server could not start; are there threads and files enough?");
  }
  ~State() { drain(); }

  static void on_connection(void* cls, MHD_Connection* connection, void** slot,
                            MHD_ConnectionNotificationCode code) {
    Deadlines& deadlines = static_cast<State*>(cls)->deadlines;
    if (code == MHD_CONNECTION_NOTIFY_STARTED)
      *slot = deadlines.opened(
          MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd);
    else if (*slot)
      deadlines.closed(static_cast<Deadlines::Connection*>(*slot));
  }

  static void* on_first_line(void* cls, const char* target, MHD_Connection* connection) {
    State& self = *static_cast<State*>(cls);
    auto* deadline = static_cast<Deadlines::Connection*>(
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context);
    self.deadlines.enter(deadline, Phase::kHead);
    self.service.metrics().requests.fetch_add(1, std::memory_order_relaxed);
    return new Exchange(target, connection, deadline);
  }

  static void on_end(void* cls, MHD_Connection*, void** context, MHD_RequestTerminationCode code) {
    State& self = *static_cast<State*>(cls);
    const std::unique_ptr<Exchange> x(static_cast<Exchange*>(*context));
    *context = nullptr;
    if (!x) return;
    if (x->suspended) self.suspended.fetch_sub(1);  // the client left meanwhile
    self.service.metrics().requests.fetch_sub(1, std::memory_order_relaxed);
    const double seconds = std::chrono::duration<double>(Clock::now() - x->begun).count();
    self.service.metrics().answered(
        x->target.route, code == MHD_REQUEST_TERMINATED_COMPLETED_OK ? x->status : 0, seconds);
    self.deadlines.enter(x->deadline, Phase::kIdle);
  }

  static MHD_Result on_request(void* cls, MHD_Connection*, const char*, const char* method,
                               const char*, const char* data, std::size_t* size, void** context) {
    State& self = *static_cast<State*>(cls);
    Exchange& x = *static_cast<Exchange*>(*context);
    try {
      return self.proceed(x, method, {data, *size}, size);
    } catch (const Problem&) {
      return self.send(x, problem_of_exception());
    } catch (const std::exception&) {
      return MHD_NO;  // for want of memory even for an answer
    }
  }

  // Called with the head alone, then with each part of the body, then at its end, and once more
  // when the worker is done.
  MHD_Result proceed(Exchange& x, const char* method, std::string_view part, std::size_t* size) {
    if (x.suspended) {
      x.suspended = false;
      suspended.fetch_sub(1);
      return send(x, service.answer_of(x));
    }
    if (!x.seen) {
      x.seen = true;
      x.target.route = route_of_path(x.raw);
      x.target = route_of(method, x.raw);
      if (claimed_length(x.connection) > kMaxBody) return send(x, too_large());
      return deadlines.enter(x.deadline, Phase::kBody) ? MHD_YES : MHD_NO;
    }
    if (*size > 0) {
      // What is too much is taken off the line, up to the deadline, and not kept.
      x.too_large |= x.body.size() + part.size() > kMaxBody;
      if (x.too_large)
        x.body = {};
      else
        x.body += part;
      *size = 0;
      return MHD_YES;
    }
    if (x.too_large) return send(x, too_large());
    if (!deadlines.enter(x.deadline, Phase::kAnswer)) return MHD_NO;
    if (std::optional<Reply> reply = service.answer(x.target, x.body, x))
      return send(x, std::move(*reply));
    x.suspended = true;
    suspended.fetch_add(1);
    MHD_suspend_connection(x.connection);
    service.submit(x);
    return MHD_YES;
  }

  MHD_Result send(Exchange& x, Reply reply) {
    if (!deadlines.enter(x.deadline, Phase::kAnswer)) return MHD_NO;
    auto* body = new std::string(std::move(reply.body));
    MHD_Response* response = MHD_create_response_from_buffer_with_free_callback_cls(
        body->size(), body->data(), [](void* text) { delete static_cast<std::string*>(text); },
        body);
    if (!response) {
      delete body;
      return MHD_NO;
    }
    MHD_add_response_header(response, "Content-Type", reply.type);
    MHD_add_response_header(response, "X-Content-Type-Options", "nosniff");
    MHD_add_response_header(response, "Cache-Control", "no-store");
    if (reply.status == 405)
      MHD_add_response_header(response, "Allow", allowed_methods(x.target.route).c_str());
    if (reply.retry_after > 0)
      MHD_add_response_header(response, "Retry-After", std::to_string(reply.retry_after).c_str());
    if (draining) MHD_add_response_header(response, "Connection", "close");
    x.status = reply.status;
    const MHD_Result queued =
        MHD_queue_response(x.connection, static_cast<unsigned>(reply.status), response);
    MHD_destroy_response(response);
    return queued;
  }

  bool drain() {
    if (!daemon) return drained;
    draining = true;
    service.drain();
    const int socket = MHD_quiesce_daemon(daemon);
    // Connections that the system has accepted already are served too.
    sockaddr_storage peer;
    for (socklen_t length = sizeof peer;; length = sizeof peer) {
      const int client = accept4(socket, reinterpret_cast<sockaddr*>(&peer), &length,
                                 SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (client < 0) break;
      MHD_add_connection(daemon, client, reinterpret_cast<sockaddr*>(&peer), length);
    }
    close(socket);
    const auto& m = service.metrics();
    const auto until = Clock::now() + kDrainTime;
    // A request may lie unread on an open connection: wait for a while without any.
    for (auto quiet = Clock::now(); Clock::now() < until && m.connections > 0;) {
      if (m.requests > 0) quiet = Clock::now();
      if (Clock::now() - quiet > std::chrono::milliseconds(500)) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    drained = m.requests == 0;
    // The library wants no connection suspended: what waits for the worker is waited for.
    while (suspended > 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    MHD_stop_daemon(daemon);
    daemon = nullptr;
    return drained;
  }

  Service& service;
  std::atomic<bool> draining{false};
  std::atomic<int> suspended{0};  // requests that the worker has
  bool drained = true;
  Deadlines deadlines;  // outlives the daemon
  MHD_Daemon* daemon = nullptr;
};

HttpServer::HttpServer(Service& service, const Listening& listening)
    : state_(std::make_unique<State>(service, listening.socket)) {}
HttpServer::~HttpServer() = default;
bool HttpServer::drain() { return state_->drain(); }

}  // namespace scrl

#endif
