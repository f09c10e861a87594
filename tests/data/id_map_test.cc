#include "data/id_map.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace scrl {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(IdMapTest, NumbersAreTheirOwnNames) {
  const IdMap ids = IdMap::numbers(12);
  EXPECT_EQ(ids.size(), 12);
  EXPECT_EQ(ids.find("0"), 0);
  EXPECT_EQ(ids.find("11"), 11);
  for (const char* other : {"12", "-1", "-0", "+1", "01", "1.0", "", " 1", "x", "4294967296"}) {
    EXPECT_EQ(ids.find(other), std::nullopt) << other;
  }
  EXPECT_THAT(ids.names(), IsEmpty());
  EXPECT_EQ(ids.expected(), "a node number 0..11");
}

TEST(IdMapTest, NamesAreNumberedInOrderOfArrival) {
  IdMap ids;
  EXPECT_EQ(ids.add("b"), 0);
  EXPECT_EQ(ids.add("a"), 1);
  EXPECT_EQ(ids.add("b"), 0);
  EXPECT_EQ(ids.find("a"), 1);
  EXPECT_EQ(ids.find("c"), std::nullopt);
  EXPECT_THAT(ids.names(), ElementsAre("b", "a"));
  EXPECT_EQ(ids.name(1), "a");
}

TEST(IdMapTest, ManyNamesAreFoundAgain) {
  IdMap ids;
  EXPECT_EQ(ids.find("n0"), std::nullopt);
  for (int i = 0; i < 100000; ++i) ASSERT_EQ(ids.add(cat("n", i)), i);
  for (int i = 0; i < 100000; ++i) ASSERT_EQ(ids.find(cat("n", i)), i);
  EXPECT_EQ(ids.find("n100000"), std::nullopt);
  EXPECT_EQ(ids.find(""), std::nullopt);
}

TEST(IdMapTest, NamesThatEqualTheirNumbersAreNotKept) {
  IdMap natural, shifted;
  for (int i = 0; i < 1000; ++i) natural.add(std::to_string(i));
  for (int i = 1; i < 1000; ++i) shifted.add(std::to_string(i));
  EXPECT_THAT(natural.names(), IsEmpty());
  EXPECT_EQ(shifted.names().size(), 999u);
}

TEST(IdMapTest, WithoutNodesNoRangeIsNamed) {
  EXPECT_EQ(IdMap::numbers(0, "rows").expected(), "nothing, because there are no nodes");
  EXPECT_EQ(IdMap::numbers(1, "rows").expected(), "a node number 0..0 (rows)");
}

}  // namespace
}  // namespace scrl
