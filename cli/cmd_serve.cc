// scrl serve RUN [DATA]: answers over HTTP until SIGTERM or SIGINT; SIGHUP loads the model anew.
#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

#include "base/error.h"
#include "command.h"
#include "serve/http_server.h"

namespace scrl::cli {
namespace {

// Signals in their order, for whoever reads them. Before this exists they end the process.
class Signals {
 public:
  Signals() {
    if (pipe2(pipe_, O_CLOEXEC) != 0) fail(ErrorKind::kResource, "cannot make a pipe");
    struct sigaction action = {};
    action.sa_handler = [](int number) {
      const char byte = static_cast<char>(number);
      [[maybe_unused]] const auto written = write(pipe_[1], &byte, 1);
    };
    action.sa_flags = SA_RESTART;
    for (const int s : kCaught) sigaction(s, &action, nullptr);
  }
  int next() {
    char byte = 0;
    while (read(pipe_[0], &byte, 1) != 1) {
    }
    return byte;
  }
  // From now on the next one ends the process at once.
  void release() {
    for (const int s : kCaught) std::signal(s, SIG_DFL);
  }

 private:
  static constexpr int kCaught[] = {SIGTERM, SIGINT, SIGHUP};
  static inline int pipe_[2] = {-1, -1};
};

std::string described(const ServedModel& m) {
  const Json& j = m.description();
  return cat(m.method(), " on ", j["dataset"].get<std::string>(), ", ", j["nodes"].get<Index>(),
             " nodes, model ", m.hash().substr(0, 12));
}

void say(const CommonOptions& o, const std::string& line) {
  if (o.quiet) return;
  std::printf("%s\n", line.c_str());
  std::fflush(stdout);
}

void reload(Service& service, const CommonOptions& o) {
  try {
    service.reload();
    say(o, cat("now serving ", described(*service.model())));
  } catch (const Error& e) {
    std::fprintf(stderr, "scrl: SIGHUP: %s; the old model stays\n", e.what());
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "scrl: SIGHUP: not enough memory for two models; the old model stays\n");
  }
}

}  // namespace

int cmd_serve(const Args& args) {
  CommonOptions common;
  std::string host = "127.0.0.1";
  int port = 8080;
  Layout2d layout = Layout2d::kTsne;
  OptionSet set;
  set.add("port", port, between(0, 65535), "where to listen; 0: any port that is free", 'p');
  set.add("host", host, any_text(), "address to listen on; 0.0.0.0: every one of this machine");
  set.add("layout", layout, "2-D embedding of the page: t-SNE, or PCA, which takes no time");
  bind(set, common);
  const auto positional = parse_command(set, common, args);
  const char* const usage = "scrl serve RUN [DATA] [--port P] [--host H] [--layout L]";
  if (printed_help(common, set,
                   "Answers over HTTP: what RUN predicts for the nodes of its data and for new "
                   "ones. RUN is a\nrun folder or a model.scrl; DATA is where the data of its "
                   "training lies now. SIGHUP loads RUN anew,\nSIGTERM and Ctrl-C end what has "
                   "begun and then the server.",
                   usage))
    return 0;
  expect_arguments(positional, 1, 2, usage);
  if (!has_http_server())
    fail(ErrorKind::kUsage, "this scrl was built without libmicrohttpd; install ",
         "libmicrohttpd-dev and build it again");
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGHUP, SIG_IGN);  // there is no model to change yet
  // Before the model is loaded, which may take a while; who connects waits until it is.
  const Listening listening = listen_on(host, port);
  Service service(
      {.run = positional[0], .data = positional.size() > 1 ? positional[1] : "", .layout = layout});
  HttpServer server(service, listening);
  Signals signals;
  say(common, cat("serving ", described(*service.model()), " at ", listening.url));
  if (!listening.loopback && !common.quiet)
    std::fprintf(stderr, "note: whoever reaches this address can ask; there is no password\n");
  int signal = 0;
  while ((signal = signals.next()) == SIGHUP) reload(service, common);
  signals.release();
  say(common, "ending: requests that have begun are answered");
  if (!server.drain()) fail(ErrorKind::kRun, "some requests took too long to end");
  return 0;
}

}  // namespace scrl::cli
