#include "serve/metrics.h"

#include <sys/resource.h>

#include <algorithm>

#include "base/error.h"
#include "base/memory.h"

namespace scrl {
namespace {

std::string_view path_of(std::size_t route) {
  for (const RouteInfo& r : all_routes())
    if (static_cast<std::size_t>(r.route) == route) return r.path;
  return "other";
}

void head(std::string& out, std::string_view name, std::string_view type, std::string_view help) {
  out += cat("# HELP ", name, " ", help, "\n# TYPE ", name, " ", type, "\n");
}

template <class T>
void single(std::string& out, std::string_view name, std::string_view type, std::string_view help,
            T value) {
  head(out, name, type, help);
  out += cat(name, " ", value, "\n");
}

}  // namespace

void Histogram::count(double seconds) {
  const auto at = std::lower_bound(kSeconds.begin(), kSeconds.end(), seconds) - kSeconds.begin();
  buckets_[static_cast<std::size_t>(at)].fetch_add(1, std::memory_order_relaxed);
  microseconds_.fetch_add(static_cast<std::uint64_t>(seconds * 1e6), std::memory_order_relaxed);
}

void Histogram::write(std::string& out, std::string_view name, std::string_view labels) const {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < buckets_.size(); ++i) {
    sum += buckets_[i].load(std::memory_order_relaxed);
    out += cat(name, "_bucket{", labels, ",le=\"",
               i < kSeconds.size() ? cat(kSeconds[i]) : std::string("+Inf"), "\"} ", sum, "\n");
  }
  out += cat(name, "_sum{", labels, "} ",
             static_cast<double>(microseconds_.load(std::memory_order_relaxed)) / 1e6, "\n", name,
             "_count{", labels, "} ", sum, "\n");
}

void Metrics::answered(Route route, int status, double seconds) {
  const auto r = static_cast<std::size_t>(route);
  const auto found = std::find(kStatus.begin(), kStatus.end(), status);
  const auto s = found == kStatus.end() ? kStatus.size() - 2  // no other is given: 500
                                        : static_cast<std::size_t>(found - kStatus.begin());
  requests_[r][s].fetch_add(1, std::memory_order_relaxed);
  seconds_[r].count(seconds);
}

std::string Metrics::text(std::string_view model, std::string_view method) const {
  std::string out;
  head(out, "scrl_http_requests_total", "counter",
       "Requests by path and status; status 0: the client left before the answer.");
  for (std::size_t r = 0; r < kRoutes; ++r)
    for (std::size_t s = 0; s < kStatus.size(); ++s)
      if (const auto n = requests_[r][s].load(std::memory_order_relaxed); n > 0)
        out += cat("scrl_http_requests_total{path=\"", path_of(r), "\",status=\"", kStatus[s],
                   "\"} ", n, "\n");
  head(out, "scrl_http_request_seconds", "histogram",
       "From the head of a request to the end of its answer.");
  for (const Route r : {Route::kNode, Route::kPredict})
    seconds_[static_cast<std::size_t>(r)].write(
        out, "scrl_http_request_seconds",
        cat("path=\"", path_of(static_cast<std::size_t>(r)), "\""));
  head(out, "scrl_predicted_nodes_total", "counter", "Nodes answered, by kind.");
  out += cat("scrl_predicted_nodes_total{kind=\"known\"} ", known_nodes.load(), "\n",
             "scrl_predicted_nodes_total{kind=\"new\"} ", new_nodes.load(), "\n");
  single(out, "scrl_batches_total", "counter", "Batches of new nodes.", batches.load());
  single(out, "scrl_queued_nodes", "gauge", "New nodes that wait for the worker.",
         queued_nodes.load());
  single(out, "scrl_connections", "gauge", "Open connections.", connections.load());
  single(out, "scrl_requests", "gauge", "Requests that are being answered.", requests.load());
  single(out, "scrl_timeouts_total", "counter", "Connections closed for taking too long.",
         timed_out.load());
  head(out, "scrl_reloads_total", "counter", "Models loaded at SIGHUP, by result.");
  out += cat("scrl_reloads_total{result=\"ok\"} ", reloads.load(), "\n",
             "scrl_reloads_total{result=\"failed\"} ", failed_reloads.load(), "\n");
  head(out, "scrl_model_info", "gauge", "The model that is served.");
  out += cat("scrl_model_info{model=\"", model, "\",method=\"", method, "\"} 1\n");
  single(out, "process_resident_memory_bytes", "gauge", "Memory held.", resident_memory());
  rusage used = {};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) / 1e6;
  };
  single(out, "process_cpu_seconds_total", "counter", "Processor time used.",
         seconds(used.ru_utime) + seconds(used.ru_stime));
  single(out, "process_start_time_seconds", "gauge", "Start of the server since 1970.",
         std::chrono::duration<double>(started_.time_since_epoch()).count());
  return out;
}

}  // namespace scrl
