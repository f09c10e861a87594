#include "tensor/csr.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "base/error.h"

namespace scrl {
namespace {

using ::testing::ElementsAre;

Csr sample() {  // [[0 2 0], [1 0 3]], entries given out of order
  const std::vector<NodeId> r = {1, 0, 1}, c = {2, 1, 0};
  const std::vector<float> v = {3, 2, 1};
  return csr_from_triplets(2, 3, r, c, v, Dup::kSum);
}

TEST(CsrTest, TripletsAreSortedByRowAndColumn) {
  const Csr a = sample();
  EXPECT_THAT(a.row_ptr, ElementsAre(0, 1, 3));
  EXPECT_THAT(a.col, ElementsAre(1, 0, 2));
  EXPECT_THAT(a.val, ElementsAre(2, 1, 3));
  EXPECT_NO_THROW(validate(a, "sample"));
}

TEST(CsrTest, RepeatedEntriesAddUpOrCountOnce) {
  const std::vector<NodeId> r = {0, 0, 1, 0}, c = {1, 1, 0, 1};
  EXPECT_THAT(csr_from_triplets(2, 2, r, c, {}, Dup::kSum).val, ElementsAre(3, 1));
  EXPECT_THAT(csr_from_triplets(2, 2, r, c, {}, Dup::kBinary).val, ElementsAre(1, 1));
  const std::vector<float> v = {0.5f, 0.25f, 7, 1};
  EXPECT_THAT(csr_from_triplets(2, 2, r, c, v, Dup::kSum).val, ElementsAre(1.75f, 7));
}

TEST(CsrTest, NoEntriesAndNoRows) {
  const Csr empty = csr_from_triplets(3, 2, {}, {}, {}, Dup::kSum);
  EXPECT_THAT(empty.row_ptr, ElementsAre(0, 0, 0, 0));
  EXPECT_EQ(transpose(empty).rows, 2);
  EXPECT_NO_THROW(validate(csr_from_triplets(0, 0, {}, {}, {}, Dup::kSum), "nothing"));
}

TEST(CsrTest, TransposeTwiceGivesItBack) {
  const Csr a = sample(), t = transpose(a), back = transpose(t);
  EXPECT_EQ(t.rows, 3);
  EXPECT_THAT(t.row_ptr, ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(t.col, ElementsAre(1, 0, 1));
  EXPECT_THAT(t.val, ElementsAre(1, 2, 3));
  EXPECT_EQ(back.row_ptr, a.row_ptr);
  EXPECT_EQ(back.col, a.col);
  EXPECT_EQ(back.val, a.val);
}

TEST(CsrTest, ValidateNamesEveryBrokenInvariant) {
  const std::vector<std::pair<std::function<void(Csr&)>, std::string>> cases = {
      {[](Csr& a) { a.row_ptr.pop_back(); }, "x: expected 3 row offsets, found 2"},
      {[](Csr& a) {
         a.row_ptr = {0, 4, 3};
       },
       "x: row offsets are not ascending at row 0"},
      {[](Csr& a) { a.row_ptr[2] = 9; }, "x: row offsets, columns and values disagree in number"},
      {[](Csr& a) { a.val.pop_back(); }, "x: row offsets, columns and values disagree in number"},
      {[](Csr& a) { a.col[0] = 3; }, "x: row 0: column 3 out of range, expected 0..2"},
      {[](Csr& a) { a.col[0] = -1; }, "x: row 0: column -1 out of range, expected 0..2"},
      {[](Csr& a) {
         a.col = {1, 2, 0};
       },
       "x: row 1: columns are not ascending and distinct"},
      {[](Csr& a) { a.val[0] = std::numeric_limits<float>::infinity(); },
       "x: row 0: expected a finite value, found inf"},
      {[](Csr& a) { a.rows = -1; }, "x: size -1x3 out of range"},
  };
  for (const auto& [damage, message] : cases) {
    Csr a = sample();
    damage(a);
    try {
      validate(a, "x");
      ADD_FAILURE() << "no error, expected: " << message;
    } catch (const Error& e) {
      EXPECT_EQ(e.what(), message);
      EXPECT_EQ(e.kind(), ErrorKind::kData);
    }
  }
}

TEST(CsrTest, PositionsOfTheTransposeTellWhereItsEntriesCameFrom) {
  const std::vector<NodeId> row = {0, 0, 2, 2, 2, 3}, column = {1, 4, 0, 1, 4, 1};
  const std::vector<float> value = {1, 2, 3, 4, 5, 6};
  const Csr a = csr_from_triplets(4, 5, row, column, value, Dup::kSum), at = transpose(a);
  const std::vector<Index> from = transpose_positions(a, at);
  EXPECT_EQ(from, (std::vector<Index>{2, 0, 3, 5, 1, 4}));
  for (std::size_t e = 0; e < from.size(); ++e) EXPECT_EQ(at.val[e], a.val[from[e]]);
  EXPECT_TRUE(transpose_positions(Csr(), transpose(Csr())).empty());
}

}  // namespace
}  // namespace scrl
