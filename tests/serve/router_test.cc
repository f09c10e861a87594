#include "serve/router.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "config/json_file.h"
#include "serve/page.h"
#include "serve/problem.h"

namespace scrl {
namespace {

using ::testing::HasSubstr;

std::string problem(std::string_view method, std::string_view target) {
  try {
    route_of(method, target);
  } catch (const Problem& p) {
    return cat(p.status(), " ", p.what());
  }
  return "none";
}

TEST(RouterTest, KnowsItsPaths) {
  EXPECT_EQ(route_of("GET", "/").route, Route::kPage);
  EXPECT_EQ(route_of("HEAD", "/healthz").route, Route::kHealth);
  EXPECT_EQ(route_of("POST", "/v1/predict").route, Route::kPredict);
  EXPECT_EQ(route_of_path("/v1/predict?x"), Route::kPredict);
  EXPECT_EQ(route_of_path("/v2"), Route::kNone);
}

TEST(RouterTest, DecodesIds) {
  EXPECT_EQ(route_of("GET", "/v1/nodes/ann").id, "ann");
  EXPECT_EQ(route_of("GET", "/v1/nodes/a/b").id, "a/b");
  EXPECT_EQ(route_of("GET", "/v1/nodes/a%2Fb%20%c3%a4+%00").id, std::string("a/b ä+\0", 8));
  EXPECT_EQ(route_of("GET", "/v1/nodes/..").id, "..");
  const Target t = route_of("GET", "/v1/nodes/a%3Fb?alpha=0.1");
  EXPECT_EQ(t.id, "a?b");
  EXPECT_EQ(t.alpha, 0.1);
  EXPECT_EQ(route_of("GET", "/v1/nodes/a?alpha=%30.2").alpha, 0.2);
  EXPECT_FALSE(route_of("GET", "/v1/nodes/a?").alpha);
}

TEST(RouterTest, RefusesTheRest) {
  EXPECT_THAT(problem("GET", "/v1"), HasSubstr("404 there is nothing at \"/v1\""));
  for (const char* path : {"", "*", "/v1/nodes", "/v1/nodes/", "//", "/healthz/", "/V1/model"})
    EXPECT_THAT(problem("GET", path), HasSubstr("404 ")) << path;
  EXPECT_THAT(problem("POST", "/healthz"), HasSubstr("405 /healthz: expected GET, HEAD, found"));
  EXPECT_THAT(problem("GET", "/v1/predict"), HasSubstr("405 /v1/predict: expected POST"));
  EXPECT_THAT(problem("get", "/"), HasSubstr("405 "));
  for (const char* path :
       {"/v1/nodes/%", "/v1/nodes/%2", "/v1/nodes/%g0", "/v1/nodes/%ff", "/v1/nodes/a?alpha=%"})
    EXPECT_THAT(problem("GET", path), HasSubstr("400 ")) << path;
  EXPECT_THAT(problem("GET", "/v1/nodes/a?beta=1"), HasSubstr("400 the query: there is no"));
  EXPECT_THAT(problem("GET", "/healthz?alpha=0.1"), HasSubstr("400 the query"));
  for (const char* alpha : {"", "0", "1", "x", "0.1x", "nan", "-1", "1e-999"})
    EXPECT_THAT(problem("GET", cat("/v1/nodes/a?alpha=", alpha)), HasSubstr("400 alpha")) << alpha;
}

TEST(RouterTest, OpenApiDescribesEveryPathAndNoOther) {
  const Json api = parse_json(openapi_text(), "openapi.json");
  EXPECT_EQ(api["paths"].size(), all_routes().size());
  for (const RouteInfo& r : all_routes()) {
    ASSERT_TRUE(api["paths"].contains(r.path)) << r.path;
    const Json& methods = api["paths"][r.path];
    EXPECT_EQ(methods.size(), 1u) << r.path;
    EXPECT_TRUE(methods.contains(std::string_view(r.method) == "GET" ? "get" : "post")) << r.path;
  }
}

}  // namespace
}  // namespace scrl
