#include "serve/router.h"

#include "io/line_reader.h"
#include "io/utf8.h"
#include "serve/predict_request.h"
#include "serve/problem.h"

namespace scrl {
namespace {

constexpr RouteInfo kRoutes[] = {
    {Route::kPage, "GET", "/"},
    {Route::kHealth, "GET", "/healthz"},
    {Route::kReady, "GET", "/readyz"},
    {Route::kMetrics, "GET", "/metrics"},
    {Route::kModel, "GET", "/v1/model"},
    {Route::kNode, "GET", "/v1/nodes/{id}"},
    {Route::kPredict, "POST", "/v1/predict"},
    {Route::kEmbedding, "GET", "/v1/embedding2d"},
    {Route::kOpenApi, "GET", "/openapi.json"},
};

// The rest of the path where `path` ends with a parameter, empty for an exact match.
std::optional<std::string_view> match(std::string_view path, std::string_view given) {
  const std::size_t open = path.find('{');
  if (open == path.npos) {
    if (path != given) return std::nullopt;
    return std::string_view();
  }
  if (!given.starts_with(path.substr(0, open)) || given.size() == open) return std::nullopt;
  return given.substr(open);
}

std::string_view path_of(std::string_view target) {
  return target.substr(0, std::min(target.find('?'), target.size()));
}

int hex_digit(char c) {
  return c >= '0' && c <= '9'   ? c - '0'
         : c >= 'a' && c <= 'f' ? c - 'a' + 10
         : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                : -1;
}

std::string decoded(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    const int high = i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = i + 2 < text.size() ? hex_digit(text[i + 2]) : -1;
    if (high < 0 || low < 0)
      refuse(400, "the address: expected two hexadecimal digits after %, found ",
             shown(text.substr(i, 3)));
    out += static_cast<char>(16 * high + low);
    i += 2;
  }
  if (!is_utf8(out)) refuse(400, "the address: ", shown(out), " is not UTF-8");
  return out;
}

// Only alpha is known, and only where a node is asked for.
void read_query(std::string_view query, Target& out) {
  while (!query.empty()) {
    const std::string_view pair = query.substr(0, std::min(query.find('&'), query.size()));
    query.remove_prefix(std::min(pair.size() + 1, query.size()));
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const std::string key = decoded(pair.substr(0, equals));
    if (key != "alpha" || out.route != Route::kNode)
      throw Problem(400, cat("the query: there is no parameter ", shown(key)), "query");
    out.alpha = parse_alpha(decoded(pair.substr(std::min(equals + 1, pair.size()))));
    if (!out.alpha) throw Problem(400, "alpha: expected a number above 0 and below 1", "alpha");
  }
}

const RouteInfo* find(std::string_view path, std::string_view& rest) {
  for (const RouteInfo& r : kRoutes)
    if (const auto matched = match(r.path, path)) {
      rest = *matched;
      return &r;
    }
  return nullptr;
}

}  // namespace

std::span<const RouteInfo> all_routes() { return kRoutes; }

Route route_of_path(std::string_view target) {
  std::string_view rest;
  const RouteInfo* found = find(path_of(target), rest);
  return found ? found->route : Route::kNone;
}

std::string allowed_methods(Route route) {
  for (const RouteInfo& r : kRoutes)
    if (r.route == route) return std::string_view(r.method) == "GET" ? "GET, HEAD" : r.method;
  return "";
}

Target route_of(std::string_view method, std::string_view target) {
  std::string_view rest;
  const std::string_view path = path_of(target);
  const RouteInfo* found = find(path, rest);
  if (!found)
    refuse(404, "there is nothing at ", shown(path), "; GET /openapi.json describes what there is");
  if (method != found->method && !(method == "HEAD" && std::string_view(found->method) == "GET"))
    refuse(405, found->path, ": expected ", allowed_methods(found->route), ", found ",
           shown(method));
  Target out{.route = found->route, .id = decoded(rest), .alpha = {}};
  if (path.size() < target.size()) read_query(target.substr(path.size() + 1), out);
  return out;
}

}  // namespace scrl
