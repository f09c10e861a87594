#include "data/dense_features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "base/rng.h"
#include "support/errors.h"
#include "support/text_stream.h"

namespace scrl {
namespace {

using testing::ElementsAre;

FeatureRows read(const std::string& text, const std::string& name = "features.csv",
                 DenseLayout layout = DenseLayout::kTable) {
  FeatureRows rows = read_dense_features(text_stream(text, name), layout);
  validate(rows.values, "features");
  return rows;
}

TEST(DenseFeaturesTest, KeepsNonZerosOnly) {
  const Csr x = read("0 2.5 0\n0 0 0\n-1 0.0 1e-3\n", "f.txt", DenseLayout::kNumbers).values;
  EXPECT_EQ(x.rows, 3);
  EXPECT_EQ(x.cols, 3);
  EXPECT_THAT(x.row_ptr, ElementsAre(0, 1, 1, 3));
  EXPECT_THAT(x.col, ElementsAre(1, 0, 2));
  EXPECT_THAT(x.val, ElementsAre(2.5f, -1.0f, 1e-3f));
}

TEST(DenseFeaturesTest, NumbersMayBeQuoted) {
  const FeatureRows rows = read("\"id\",\"a\",\"b\"\n\"x\",\"1.5\",\"0\"\n\"y\", \"-2\" ,3\n");
  EXPECT_TRUE(rows.keyed);
  EXPECT_THAT(rows.values.row_ptr, ElementsAre(0, 1, 3));
  EXPECT_THAT(rows.values.val, ElementsAre(1.5f, -2.0f, 3.0f));
  EXPECT_THAT(read("\"1\" \"2\"\n0 \"4\"\n", "f.txt").values.val, ElementsAre(1, 2, 4));
  const auto refusal = [](const std::string& text) { return error_of([&] { read(text); }); };
  EXPECT_EQ(refusal("1,2\n1,\"2\n"),
            "features.csv:2: value 2: expected a finite number, found \"\"2\"");
  EXPECT_EQ(refusal("1,2\n1,\"\"\n"),
            "features.csv:2: value 2: expected a finite number, found an empty field");
  EXPECT_EQ(refusal("1,2\n1,\"2,5\"\n"),
            "features.csv:2: value 2: expected a finite number, found \"2,5\"");
  EXPECT_EQ(refusal("1,2\n1,\"2\"3\n"),
            "features.csv:2: value 2: expected a separator after it, found \"3\"");
}

TEST(DenseFeaturesTest, RefusesColumnsOutOfProportion) {
  std::string zeros = "0";
  for (int i = 0; i < 1'000'000; ++i) zeros += ",0";
  EXPECT_EQ(
      error_of([&] { read(zeros + "\n"); }),
      "features.csv: expected at most 1000000 columns for 0 values, found 1000001; number the "
      "columns in use one after the other");
  zeros.back() = '1';
  EXPECT_EQ(read(zeros + "\n").values.cols, 1'000'001);
}

// The block comparison of zeros must not be seen in the result, however zeros are written.
TEST(DenseFeaturesTest, RunsOfZerosInEveryWriting) {
  Rng rng(5);
  for (const std::string separator : {" ", "\t", ",", ";", " , ", "  "}) {
    for (const std::string zero : {"0", "0.000000", "-0", "0e0", "0.0"}) {
      SCOPED_TRACE(cat("separator '", separator, "' zero ", zero));
      Csr expected{.rows = 20, .cols = 101};
      std::string text;
      for (int i = 0; i < 20; ++i) {
        for (int j = 0; j < 101; ++j) {
          const bool one = rng.uniform() < (i % 4) * 0.02;
          const bool other_zero = rng.uniform() < 0.01;
          text += cat(j == 0 ? "" : separator, one ? "1" : other_zero ? "0.00" : zero);
          if (!one) continue;
          expected.col.push_back(j);
          expected.val.push_back(1);
        }
        text += i % 3 == 0 ? "\r\n" : "\n";
        expected.row_ptr.push_back(expected.nnz());
      }
      const Csr found = read(text, "f.txt", DenseLayout::kNumbers).values;
      EXPECT_EQ(found.cols, 101);
      EXPECT_EQ(found.row_ptr, expected.row_ptr);
      EXPECT_EQ(found.col, expected.col);
      EXPECT_EQ(found.val, expected.val);
    }
  }
}

TEST(DenseFeaturesTest, ColumnsOfIds) {
  const FeatureRows named = read("id,f1,f2\n7,1,0\n3,0,1\n");
  EXPECT_TRUE(named.keyed);
  EXPECT_EQ(named.ids.name(1), "3");
  EXPECT_EQ(named.values.cols, 2);

  const FeatureRows pandas = read(",f1,f2\n7,1,0\n3,0,1\n");
  EXPECT_TRUE(pandas.keyed);

  const FeatureRows text = read("\"Ann, B.\",1,0\nbob,0,1\n");
  EXPECT_TRUE(text.keyed);
  EXPECT_EQ(text.ids.name(0), "Ann, B.");
  EXPECT_EQ(text.values.rows, 2);
  EXPECT_EQ(text.values.cols, 2);

  const FeatureRows spaced = read("bob 1 0\ncid 0 1\n", "features.txt");
  EXPECT_TRUE(spaced.keyed);
  EXPECT_EQ(spaced.values.cols, 2);
}

TEST(DenseFeaturesTest, RowsInNodeOrder) {
  const FeatureRows header = read("f1,f2\n7,1\n3,0\n");
  EXPECT_FALSE(header.keyed);
  EXPECT_EQ(header.values.rows, 2);
  EXPECT_THAT(header.values.val, ElementsAre(7, 1, 3));
  const FeatureRows bare = read("7,1\n3,0\n");
  EXPECT_FALSE(bare.keyed);
  EXPECT_EQ(bare.values.rows, 2);
  const FeatureRows single = read("f1\n0\n2\n");
  EXPECT_EQ(single.values.rows, 2);
  EXPECT_EQ(single.values.cols, 1);
}

TEST(DenseFeaturesTest, AnIdAloneIsNotARow) {
  EXPECT_EQ(error_of([] { read("id,f1,f2\na,1,0\nb\n"); }),
            "features.csv:3: expected 2 values as in the first line, found 0");
}

}  // namespace
}  // namespace scrl
