// The two sparse text formats: data/svmlight.h and data/matrix_market.h.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "data/matrix_market.h"
#include "data/svmlight.h"
#include "support/errors.h"
#include "support/text_stream.h"

namespace scrl {
namespace {

using testing::ElementsAre;

TEST(SvmlightTest, RowsStartWithIds) {
  const FeatureRows rows =
      read_svmlight_features(text_stream("# c\nann 3:0.5 1:2 # note 9:9\nbob\ncid 0:0 2:+1\n"));
  validate(rows.values, "features");
  EXPECT_TRUE(rows.keyed);
  EXPECT_EQ(rows.ids.name(2), "cid");
  EXPECT_EQ(rows.values.rows, 3);
  EXPECT_EQ(rows.values.cols, 4);
  EXPECT_THAT(rows.values.row_ptr, ElementsAre(0, 2, 2, 3));
  EXPECT_THAT(rows.values.col, ElementsAre(1, 3, 2));
  EXPECT_THAT(rows.values.val, ElementsAre(2, 0.5f, 1));
}

TEST(SvmlightTest, RowsWithoutIdsAreInNodeOrder) {
  const FeatureRows rows = read_svmlight_features(text_stream("0:1 4:1\n4:0\n2:1\n"));
  EXPECT_FALSE(rows.keyed);
  EXPECT_EQ(rows.values.rows, 3);
  EXPECT_EQ(rows.values.cols, 5);
  EXPECT_THAT(rows.values.col, ElementsAre(0, 4, 2));
}

TEST(SvmlightTest, AnIdMayLookAlmostLikeAPair) {
  const FeatureRows rows = read_svmlight_features(text_stream("doi:10 1:1\ndoi:11 2:1\n"));
  EXPECT_TRUE(rows.keyed);
  EXPECT_EQ(rows.ids.name(1), "doi:11");
}

TEST(MatrixMarketTest, ReadsCoordinates) {
  const Csr x =
      read_matrix_market(text_stream("%%MatrixMarket matrix coordinate real general\n% note\n3 4 "
                                     "4\n3 1 0.5\n1 4 2\n1 2 -1\n2 2 0\n"));
  validate(x, "features");
  EXPECT_EQ(x.rows, 3);
  EXPECT_EQ(x.cols, 4);
  EXPECT_THAT(x.row_ptr, ElementsAre(0, 2, 2, 3));
  EXPECT_THAT(x.col, ElementsAre(1, 3, 0));
  EXPECT_THAT(x.val, ElementsAre(-1, 2, 0.5f));
}

TEST(MatrixMarketTest, ReadsPatternsAndAnyCaseOfTheBanner) {
  const Csr x = read_matrix_market(
      text_stream("%%matrixmarket MATRIX Coordinate pattern General\n2 2 2\n1 1\n2 2\n"));
  EXPECT_THAT(x.col, ElementsAre(0, 1));
  EXPECT_THAT(x.val, ElementsAre(1, 1));
}

}  // namespace
}  // namespace scrl
