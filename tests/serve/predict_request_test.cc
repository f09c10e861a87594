#include "serve/predict_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "serve/problem.h"

namespace scrl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class PredictRequestTest : public ::testing::Test {
 protected:
  PredictRequestTest() {
    for (const char* id : {"ann", "ben", "a/b"}) ids_.add(id);
  }
  PredictRequest parse(std::string_view body) const {
    return parse_predict_request(body, {.ids = ids_, .features = 6});
  }
  std::string problem(std::string_view body) const {
    try {
      parse(body);
    } catch (const Problem& p) {
      return cat(p.status(), " ", p.field(), " | ", p.what());
    }
    return "none";
  }
  IdMap ids_;
};

TEST_F(PredictRequestTest, KnownNodesKeepTheirOrder) {
  const PredictRequest r = parse(R"({"alpha": 0.05, "ids": ["ben", "ann", "ben", "a\/b"]})");
  EXPECT_THAT(r.known, ElementsAre(1, 0, 1, 2));
  EXPECT_EQ(r.alpha, 0.05);
  EXPECT_EQ(r.features.rows, 0);
  EXPECT_EQ(r.edges.cols, 3);
}

TEST_F(PredictRequestTest, NewNodesBecomeRows) {
  const PredictRequest r = parse(R"({"nodes": [
      {"id": "x", "features": {"5": 1, "0": 0.1, "3": 0}, "neighbours": ["ben", "ann", "ben"]},
      {"neighbours": {"ann": 0.25}, "id": "y"},
      {"id": "x"}]})");
  EXPECT_THAT(r.new_ids, ElementsAre("x", "y", "x"));
  EXPECT_THAT(r.features.row_ptr, ElementsAre(0, 2, 2, 2));
  EXPECT_THAT(r.features.col, ElementsAre(0, 5));  // zeros are not stored
  EXPECT_THAT(r.features.val, ElementsAre(0.1f, 1.0f));
  EXPECT_THAT(r.edges.row_ptr, ElementsAre(0, 2, 3, 3));
  EXPECT_THAT(r.edges.col, ElementsAre(0, 1, 0));
  EXPECT_THAT(r.edges.val, ElementsAre(1.0f, 2.0f, 0.25f));  // repeated edges add up
}

// A float that double rounding would change: halfway between two floats, and a little more.
TEST_F(PredictRequestTest, NumbersAreReadAsFloats) {
  const PredictRequest r =
      parse(R"({"nodes": [{"id": "x", "features": {"0": 1.00000005960464477540}}]})");
  EXPECT_EQ(r.features.val.at(0), 0x1.000002p0f);
  EXPECT_THAT(parse(R"({"nodes": [{"id": "x", "features": {"0": 1e-60}}]})").features.val,
              ElementsAre());
}

TEST_F(PredictRequestTest, WhatDoesNotFitNamesItsField) {
  const std::pair<const char*, const char*> cases[] = {
      {"{}", "422  | expected ids, nodes or both, found neither"},
      {R"({"id": []})", "422 id | id: there is no such field; expected ids, nodes or alpha"},
      {R"({"ids": ["ann", "eve"]})", "422 ids[1] | ids[1]: there is no node \"eve\""},
      {R"({"ids": [3]})", "422 ids[0] | ids[0]: expected a text, found a number"},
      {R"({"ids": [], "ids": []})", "422 ids | ids: is given twice"},
      {R"({"ids": [], "alpha": 1})", "422 alpha | alpha: expected a number above 0 and below 1"},
      {R"({"ids": [], "alpha": -0.1})", "422 alpha | "},
      {R"({"ids": [], "alpha": "0.1"})", "422 alpha | alpha: expected a number, found a text"},
      {R"({"nodes": [{}]})", "422 nodes[0] | nodes[0]: expected a field id, found none"},
      {R"({"nodes": [{"id": ""}]})", "422 nodes[0].id | nodes[0].id: expected an id"},
      {R"({"nodes": [{"id": "ann"}]})", "is in the training data already"},
      {R"({"nodes": [{"id": "x", "feature": {}}]})", "422 nodes[0].feature | "},
      {R"({"nodes": [{"id": "x", "features": [1]}]})", "expected an object, found a list"},
      {R"({"nodes": [{"id": "x", "features": {"6": 1}}]})",
       "422 nodes[0].features.6 | nodes[0].features.6: column: expected 0..5, found \"6\""},
      {R"({"nodes": [{"id": "x", "features": {"-1": 1}}]})", "column: expected 0..5"},
      {R"({"nodes": [{"id": "x", "features": {"red": 1}}]})", "column: expected 0..5"},
      {R"({"nodes": [{"id": "x", "features": {"1": 1, "01": 2}}]})", "column 1 is given twice"},
      {R"({"nodes": [{"id": "x", "features": {"1": 1e99}}]})", "expected a finite number"},
      {R"({"nodes": [{"id": "x", "neighbours": ["eve"]}]})", "422 nodes[0].neighbours[0] | "},
      {R"({"nodes": [{"id": "x", "neighbours": {"ann": 0}}]})", "a finite number above 0"},
      {R"({"nodes": [{"id": "x", "neighbours": "ann"}]})", "expected a list, found a text"},
      {R"({"nodes": [{"id": "x"}])", "400  | the body is not JSON: byte "},
      {"", "400  | the body is not JSON: byte 0: expected a value, found the end"},
  };
  for (const auto& [body, expected] : cases)
    EXPECT_THAT(problem(body), HasSubstr(expected)) << body;
}

TEST_F(PredictRequestTest, AtMostAThousandNodes) {
  const auto list = [](int count) {
    std::string out = "{\"ids\":[\"ann\"";
    for (int i = 1; i < count; ++i) out += ",\"ann\"";
    return out + "],\"nodes\":[]}";
  };
  EXPECT_EQ(parse(list(1000)).known.size(), 1000u);
  EXPECT_EQ(problem(list(1001)), "413 ids[1000] | expected at most 1000 nodes in a request");
  std::string nodes = list(1000);
  nodes.insert(nodes.size() - 2, "{\"id\":\"x\"}");
  EXPECT_THAT(problem(nodes), HasSubstr("413 nodes[0]"));
}

}  // namespace
}  // namespace scrl
