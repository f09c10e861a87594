#include "data/demo.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/errors.h"

namespace scrl {
namespace {

using ::testing::HasSubstr;

TEST(DemoTest, IsAValidDataSetOfTheAskedSize) {
  const Dataset data = make_demo("");
  validate(data);
  EXPECT_EQ(data.nodes, 1200);
  EXPECT_EQ(data.features.cols, 600);
  EXPECT_EQ(data.num_classes(), 6);
  EXPECT_EQ(data.id(7), "n0007");
  EXPECT_NEAR(static_cast<double>(data.features.nnz()) / 1200, 20, 1);
  EXPECT_NEAR(2.0 * static_cast<double>(data.edges.size()) / 1200, 6, 0.5);
  ASSERT_EQ(data.splits.size(), 1u);
  EXPECT_EQ(data.splits[0].labels_per_class, 20);
  EXPECT_EQ(data.splits[0].train.size(), 120u);
  EXPECT_EQ(data.splits[0].test.size(), 480u);
  std::map<std::int32_t, int> per_class;
  for (const NodeId i : data.splits[0].train) ++per_class[data.labels[i]];
  for (const auto& [label, count] : per_class) EXPECT_EQ(count, 20) << label;
  EXPECT_EQ(per_class.size(), 6u);
}

TEST(DemoTest, ASeedDecidesEverything) {
  const std::string zero = fingerprint(make_demo(""));
  EXPECT_EQ(zero, fingerprint(make_demo(":seed=0,nodes=1200")));
  EXPECT_NE(zero, fingerprint(make_demo(":seed=1")));
}

TEST(DemoTest, SmallAndLargeKeysWork) {
  for (const char* spec : {":nodes=50", ":nodes=50,classes=40", ":nodes=3000,degree=1,words=1",
                           ":features=100,classes=40,nodes=100", ":nodes=100,degree=1000",
                           ":seed=9223372036854775807"}) {
    SCOPED_TRACE(spec);
    const Dataset data = make_demo(spec);
    EXPECT_NO_THROW(validate(data));
    EXPECT_FALSE(data.splits[0].test.empty());
  }
}

TEST(DemoTest, BadKeysAreUsageErrors) {
  const auto refusal = [](const char* spec) {
    return error_of([&] { make_demo(spec); }, ErrorKind::kUsage);
  };
  EXPECT_EQ(
      refusal(":node=5"),
      "demo: unknown key 'node', expected nodes, seed, classes, degree, features, words as in "
      "demo:nodes=500,seed=3");
  EXPECT_EQ(refusal(":nodes=5"), "demo: nodes: expected a whole number 50..50000000, found '5'");
  EXPECT_THAT(refusal(":nodes=1e3"), HasSubstr("found '1e3'"));
  EXPECT_THAT(refusal(":nodes"), HasSubstr("found ''"));
  EXPECT_THAT(refusal(":classes=5"), HasSubstr("expected an even number"));
  EXPECT_THAT(refusal(":,"), HasSubstr("unknown key ''"));
}

// What the design promises: neighbours and words each narrow a node down to two classes out of six,
// and hardly further.
TEST(DemoTest, EachViewAloneLeavesTwoCandidates) {
  const Dataset data = make_demo(":nodes=20000");
  const Edges& edges = data.edges;
  double same_class = 0, same_community = 0;
  for (Index e = 0; e < edges.size(); ++e) {
    const int a = data.labels[edges.source[e]], b = data.labels[edges.target[e]];
    same_class += a == b;
    same_community += a / 2 == b / 2;
  }
  const double n = static_cast<double>(edges.size());
  EXPECT_NEAR(same_community / n, 0.83, 0.02);  // 0.74 on purpose, a third of the rest by chance
  EXPECT_NEAR(same_class / n, 0.48, 0.02);

  // Classify by the topic that gives most words, with the design known.
  Index right_topic = 0;
  for (Index i = 0; i < data.nodes; ++i) {
    std::array<int, 3> words{};
    for (const NodeId w : data.features.row_cols(i)) {
      if (w < 300) ++words[w / 100];
    }
    const auto best = std::max_element(words.begin(), words.end()) - words.begin();
    right_topic += best == (data.labels[i] + 1) / 2 % 3;
  }
  EXPECT_NEAR(static_cast<double>(right_topic) / 20000, 0.93, 0.04);
  const auto connected = [&] {
    std::vector<bool> seen(20000);
    for (Index e = 0; e < edges.size(); ++e) seen[edges.source[e]] = seen[edges.target[e]] = true;
    return std::count(seen.begin(), seen.end(), true);
  }();
  EXPECT_LT(connected, 20000 * 0.98);
  EXPECT_GT(connected, 20000 * 0.93);
}

}  // namespace
}  // namespace scrl
