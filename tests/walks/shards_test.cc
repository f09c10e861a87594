#include "walks/shards.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/parallel.h"

namespace scrl {
namespace {

using ::testing::ElementsAre;

Matrix ones(Index rows) {
  Matrix m(rows, 3);
  m.fill(1.0f);
  return m;
}

// Adds `change` to a row in a shard's copy, as `updates` updates would.
void learn(ShardedRows& rows, const Matrix& base, Index shard, Index row, float change,
           int updates) {
  RowCopies& copies = rows.shard(shard);
  std::uint32_t slot = 0;
  for (int k = 0; k < updates; ++k) slot = copies.use(base, row);
  for (Index j = 0; j < 3; ++j) copies.row(slot)[j] += change;
}

TEST(ShardsTest, SumsWhereUpdatesAreFewAndMeansWhereTheyAreMany) {
  Matrix base = ones(5);
  ShardedRows rows(5, base.stride(), 5, {.shards = 4, .patience = 10});
  learn(rows, base, 1, 0, 0.5f, 99);                                     // alone: its copy
  for (const Index s : {0, 2}) learn(rows, base, s, 1, 0.5f, 5);         // 10 updates: the sum
  for (const Index s : {0, 1, 2, 3}) learn(rows, base, s, 2, 0.5f, 50);  // 200: the mean
  for (const Index s : {0, 3}) learn(rows, base, s, 4, 0.5f, 8);         // 16: 10/16 of the sum
  rows.merge(base);
  EXPECT_THAT(base.packed(), ElementsAre(1.5f, 1.5f, 1.5f, 2.0f, 2.0f, 2.0f, 1.5f, 1.5f, 1.5f, 1.0f,
                                         1.0f, 1.0f, 1.625f, 1.625f, 1.625f));
  EXPECT_EQ(*base.at(2, 3), 0.0f) << "padding";
}

TEST(ShardsTest, ARoundForgetsTheOneBefore) {
  Matrix base = ones(2);
  ShardedRows rows(2, base.stride(), 9, {.shards = 2, .patience = 10});
  learn(rows, base, 0, 1, 0.5f, 9);
  rows.merge(base);
  learn(rows, base, 0, 1, 0.25f, 5);  // from the new base, and 9 updates are not counted again
  learn(rows, base, 1, 1, 0.25f, 5);
  rows.merge(base);
  EXPECT_THAT(base.packed(), ElementsAre(1, 1, 1, 2, 2, 2));
  rows.merge(base);  // nothing was learned
  EXPECT_THAT(base.packed(), ElementsAre(1, 1, 1, 2, 2, 2));
}

TEST(ShardsTest, MoreRowsThanAnnouncedAreRefused) {
  const Matrix base = ones(3);
  ShardedRows rows(3, base.stride(), 2, {.shards = 1});
  for (const Index row : {2, 0, 2, 0}) rows.shard(0).use(base, row);
  EXPECT_THROW(rows.shard(0).use(base, 1), Error);
}

TEST(ShardsTest, NodesAreDealtByDegree) {
  const std::vector<Index> degree = {1, 9, 5, 7, 3, 1, 2};
  EXPECT_THAT(deal_nodes(degree, 2), ElementsAre(1, 0, 1, 1, 0, 1, 0));
  EXPECT_THAT(deal_nodes(degree, 1), ElementsAre(0, 0, 0, 0, 0, 0, 0));
}

TEST(ShardsTest, NoShardsAndTooMany) {
  EXPECT_THROW(ShardedRows(1, 16, 1, {.shards = 0}), Error);
  EXPECT_THROW(ShardedRows(1, 16, 1, {.shards = 65}), Error);
}

}  // namespace
}  // namespace scrl
