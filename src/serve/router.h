// serve/router.h: which of the addresses of the server a request asks for. openapi.json describes
// the same.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace scrl {

enum class Route {
  kPage,
  kHealth,
  kReady,
  kMetrics,
  kModel,
  kNode,
  kPredict,
  kEmbedding,
  kOpenApi,
  kNone,  // none of them
};

struct RouteInfo {
  Route route;
  const char* method;  // GET also answers HEAD
  const char* path;    // as OpenAPI writes it; "{id}" stands for the rest of the path
};
std::span<const RouteInfo> all_routes();

struct Target {
  Route route = Route::kNone;
  std::string id;  // of kNode
  std::optional<double> alpha;
};

// `target`: path and query as they came, percent-encoded. Throws Problem: 404 for no such path, 405
// for another method, 400 for what is not encoded as it should be or a query that is not known.
Target route_of(std::string_view method, std::string_view target);
std::string allowed_methods(Route route);      // for the header Allow; kNone: empty
Route route_of_path(std::string_view target);  // whatever the method

}  // namespace scrl
