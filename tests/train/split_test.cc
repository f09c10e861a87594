#include "train/split.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "support/errors.h"

namespace scrl {
namespace {

// 3 classes of 50, 30 and 20 nodes, then 10 without a label.
Dataset plain() {
  Dataset d;
  d.name = d.source = "plain";
  d.nodes = 110;
  d.classes = {"a", "b", "c"};
  for (int i = 0; i < 110; ++i)
    d.labels.push_back(i < 50 ? 0 : i < 80 ? 1 : i < 100 ? 2 : kUnlabelled);
  return d;
}

std::vector<int> per_class(const Dataset& d, const std::vector<NodeId>& nodes) {
  std::vector<int> out(3);
  for (const NodeId i : nodes) ++out.at(static_cast<std::size_t>(d.labels[i]));
  return out;
}

void expect_disjoint(const Split& s) {
  std::set<NodeId> all;
  for (const auto* part : {&s.train, &s.val, &s.test}) all.insert(part->begin(), part->end());
  EXPECT_EQ(all.size(), s.train.size() + s.val.size() + s.test.size());
}

using ::testing::ElementsAre;

TEST(SplitTest, SharesAreStratified) {
  const Dataset d = plain();
  const Split s = choose_split(d, {}, true, 1);
  EXPECT_THAT(per_class(d, s.train), ElementsAre(30, 18, 12));
  EXPECT_THAT(per_class(d, s.val), ElementsAre(10, 6, 4));
  EXPECT_THAT(per_class(d, s.test), ElementsAre(10, 6, 4));
  expect_disjoint(s);
}

TEST(SplitTest, DrawsFollowTheSeedAlone) {
  const Dataset d = plain();
  EXPECT_EQ(choose_split(d, {}, true, 1).train, choose_split(d, {}, true, 1).train);
  EXPECT_NE(choose_split(d, {}, true, 1).train, choose_split(d, {}, true, 2).train);
}

TEST(SplitTest, ARateDrawsThatManyPerClass) {
  const Dataset d = plain();
  const Split s = choose_split(d, {.labels = 3, .val_nodes = 20, .test_nodes = 30}, true, 1);
  EXPECT_THAT(per_class(d, s.train), ElementsAre(3, 3, 3));
  EXPECT_EQ(s.test.size(), 30u);
  EXPECT_EQ(s.val.size(), 20u);
  expect_disjoint(s);
  EXPECT_EQ(s.labels_per_class, 3);
}

Dataset with_splits() {
  Dataset d = plain();
  d.splits = {{.labels_per_class = 2, .train = {0, 1, 50, 51, 80, 81}, .test = {10, 60, 90}},
              {.labels_per_class = 4,
               .train = {0, 1, 2, 3, 50, 51, 52, 53, 80, 81, 82, 83},
               .test = {10, 60, 90}}};
  return d;
}

TEST(SplitTest, ARandomSplitTestsOnAllThatIsLeft) {
  const Dataset d = with_splits();
  const SplitOptions o = {.split = SplitSource::kRandom, .labels = 4, .val_nodes = 20};
  const Split s = choose_split(d, o, true, 1);
  EXPECT_THAT(per_class(d, s.train), ElementsAre(4, 4, 4));
  EXPECT_EQ(s.val.size(), 20u);
  EXPECT_EQ(s.test.size(), 100u - 12 - 20);  // whoever has a label
  expect_disjoint(s);
  EXPECT_TRUE(std::ranges::is_sorted(s.test));
  EXPECT_NE(s.train, choose_split(d, o, true, 2).train);
  const Split fixed = choose_split(d, o, false, 1);
  EXPECT_EQ(fixed.train, s.train);  // the protocol does not change who trains
  EXPECT_EQ(fixed.test.size(), 100u - 12);
}

TEST(SplitTest, ARandomSplitWithoutARateIsDividedByShares) {
  const Split s = choose_split(with_splits(), {.split = SplitSource::kRandom}, true, 1);
  EXPECT_EQ(s.labels_per_class, 0);
  EXPECT_EQ(s.train, choose_split(plain(), {}, true, 1).train);
  EXPECT_EQ(s.test, choose_split(plain(), {}, true, 1).test);
}

TEST(SplitTest, SplitsOfTheDataAreUsedAsTheyAre) {
  const Dataset d = with_splits();
  EXPECT_EQ(choose_split(d, {}, true, 1).train, d.splits[0].train);
  const Split s = choose_split(d, {.labels = 4, .val_nodes = 20}, true, 1);
  EXPECT_EQ(s.train, d.splits[1].train);
  EXPECT_EQ(s.test, d.splits[1].test);
  EXPECT_EQ(s.val.size(), 20u);
  expect_disjoint(s);
}

TEST(SplitTest, AnotherRateKeepsTheTestNodesOfTheData) {
  const Dataset d = with_splits();
  const Split s = choose_split(d, {.labels = 1, .val_nodes = 20}, true, 1);
  EXPECT_EQ(s.test, d.splits[0].test);
  EXPECT_THAT(per_class(d, s.train), ElementsAre(1, 1, 1));
  expect_disjoint(s);
}

TEST(SplitTest, WithoutValidationNoneIsDrawn) {
  EXPECT_TRUE(choose_split(with_splits(), {}, false, 1).val.empty());
  const Dataset d = plain();
  const Split s = choose_split(d, {}, false, 1);
  EXPECT_TRUE(s.val.empty());
  EXPECT_EQ(s.train.size() + s.test.size(), 100u);
}

TEST(SplitTest, ValidationComesFromTrainingWhenNothingElseIsLeft) {
  Dataset d = plain();
  Split whole{.labels_per_class = 0, .test = {0, 50, 80}};
  for (int i = 0; i < 100; ++i)
    if (i != 0 && i != 50 && i != 80) whole.train.push_back(i);
  d.splits = {whole};
  const Split s = choose_split(d, {}, true, 1);
  EXPECT_EQ(s.val.size(), 19u);
  EXPECT_EQ(s.train.size(), 78u);
  expect_disjoint(s);
}

TEST(SplitTest, ClearErrors) {
  Dataset d = plain();
  d.labels.assign(110, kUnlabelled);
  const auto message = [&] {
    return error_of([&] { choose_split(d, {}, true, 1); }, ErrorKind::kData);
  };
  EXPECT_EQ(message(), "plain: no node has a label; training needs some, in labels.csv");
  d.labels[7] = 1;  // one label cannot train and validate
  EXPECT_EQ(
      message(),
      "plain: a single labelled node cannot both train and validate; label more nodes, or use "
      "--protocol fixed");
  EXPECT_EQ(choose_split(d, {}, false, 1).train.size(), 1u);
}

}  // namespace
}  // namespace scrl
