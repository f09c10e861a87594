#include "io/fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "support/errors.h"
#include "support/text_stream.h"

namespace scrl {
namespace {

using testing::ElementsAre;

std::vector<std::string> fields_of(const std::string& line, const std::string& name = "x.txt") {
  LineReader reader(text_stream(line, name));
  reader.next();
  Fields fields(detect_separator(reader));
  const auto& found = fields.split(reader);
  return {found.begin(), found.end()};
}

TEST(FieldsTest, TheSeparatorIsDetected) {
  EXPECT_THAT(fields_of("a b"), ElementsAre("a", "b"));
  EXPECT_THAT(fields_of("  a \t b  "), ElementsAre("a", "b"));
  EXPECT_THAT(fields_of(" a   b  "), ElementsAre("a", "b"));
  EXPECT_THAT(fields_of("a, b c ,d"), ElementsAre("a", "b c", "d"));
  EXPECT_THAT(fields_of("a;1,5;d"), ElementsAre("a", "1,5", "d"));
  EXPECT_THAT(fields_of("a, b\tc; d"), ElementsAre("a, b", "c; d"));
  EXPECT_THAT(fields_of("two words", "x.csv"), ElementsAre("two words"));
  EXPECT_THAT(fields_of("two words", "x.tsv.gz"), ElementsAre("two words"));
}

TEST(FieldsTest, EmptyFieldsAreKept) {
  EXPECT_THAT(fields_of("a,,b,"), ElementsAre("a", "", "b", ""));
  EXPECT_THAT(fields_of("\ta\t"), ElementsAre("", "a", ""));
  EXPECT_THAT(fields_of(",f1"), ElementsAre("", "f1"));
}

TEST(FieldsTest, QuotedFields) {
  EXPECT_THAT(fields_of(R"("a, b",c)"), ElementsAre("a, b", "c"));
  EXPECT_THAT(fields_of(R"(x , "say ""hi""" , "" )"), ElementsAre("x", "say \"hi\"", ""));
  EXPECT_THAT(fields_of(R"("a b" "c;d" e)"), ElementsAre("a b", "c;d", "e"));
  EXPECT_EQ(error_of([] { fields_of(R"("a,b)"); }),
            "x.txt:1: expected a closing quote in the same line, found end of line");
  EXPECT_EQ(error_of([] { fields_of(R"(c,"a"b)"); }),
            "x.txt:1: expected a separator after a closing quote, found \"b\"");
}

TEST(FieldsTest, FirstLeavesTheRestAlone) {
  LineReader reader(text_stream("\"a,b\" , 1,2\n"));
  reader.next();
  Fields fields(Separator::kComma);
  std::string_view rest;
  EXPECT_EQ(fields.first(reader, rest), "a,b");
  EXPECT_EQ(rest, " 1,2");
}

TEST(FieldsTest, NumbersAreWholeTokens) {
  Index i = 0;
  EXPECT_TRUE(parse_int("-12", i));
  EXPECT_EQ(i, -12);
  for (const char* bad : {"", "1 ", "+1", "1.0", "0x1", "9223372036854775808", "one"}) {
    EXPECT_FALSE(parse_int(bad, i)) << bad;
  }
  float f = 0;
  for (const auto& [text, value] : std::vector<std::pair<std::string, float>>{
           {"0.1", 0.1f}, {"+1", 1}, {"-1e-3", -1e-3f}, {"1e-60", 0}, {"1e-400", 0}, {"3.", 3}}) {
    EXPECT_TRUE(parse_float(text, f)) << text;
    EXPECT_EQ(f, value) << text;
  }
  for (const char* bad : {"", "+", "+-1", "++1", "1,5", "1e", "0x1", "1 ", "--1", "."}) {
    EXPECT_FALSE(parse_float(bad, f)) << bad;
  }
  for (const char* unbounded : {"inf", "-inf", "nan", "1e39", "1e999"}) {
    EXPECT_TRUE(parse_float(unbounded, f)) << unbounded;
    EXPECT_FALSE(std::isfinite(f)) << unbounded;
  }
}

}  // namespace
}  // namespace scrl
