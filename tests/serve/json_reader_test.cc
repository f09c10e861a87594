#include "serve/json_reader.h"

#include <gtest/gtest.h>

#include <vector>

namespace scrl {
namespace {

// What a Problem says, as "status field detail".
template <class Do>
std::string problem(Do step) {
  try {
    step();
  } catch (const Problem& p) {
    return cat(p.status(), " ", p.field(), " ", p.what());
  }
  return "none";
}

std::string text_of(std::string_view json) {
  JsonReader in(json);
  std::string out = in.text();
  in.end();
  return out;
}

std::string number_of(std::string_view json) {
  JsonReader in(json);
  const std::string out(in.number());
  in.end();
  return out;
}

TEST(JsonReaderTest, Texts) {
  EXPECT_EQ(text_of(R"("")"), "");
  EXPECT_EQ(text_of(" \"a\\\"b\\\\c\\/\\b\\f\\n\\r\\t\"\n"), "a\"b\\c/\b\f\n\r\t");
  EXPECT_EQ(text_of(R"("\u0041\u00e4\u20ac\ud83e\udd89")"), "Aä€🦉");
  EXPECT_EQ(text_of("\"🦉ä\""), "🦉ä");
}

TEST(JsonReaderTest, BrokenTexts) {
  for (const char* json : {"\"", "\"a", "\"\\", "\"\\x\"", "\"\\u12\"", "\"\\u12g4\"",
                           "\"\\ud83e\"", "\"\\ud83e\\u0041\"", "\"\\udd89\"", "\"a\nb\"",
                           "\"\xff\"", "\"\xc3\"", "\"\xed\xa0\x80\"", "\"a\" x", "a", "'a'", ""})
    EXPECT_TRUE(problem([&] { text_of(json); }).starts_with("400  the body is not JSON: byte "))
        << json;
}

TEST(JsonReaderTest, NumbersKeepTheirText) {
  for (const char* json : {"0", "-0", "1", "-12.50", "0.1", "1e5", "1E-07", "2.5e+3", "1e999"})
    EXPECT_EQ(number_of(json), json);
  for (const char* json : {"", "-", "+1", "01", ".5", "1.", "1e", "1e+", "0x1", "NaN", "Infinity"})
    EXPECT_TRUE(problem([&] { number_of(json); }).starts_with("400 ")) << json;
}

TEST(JsonReaderTest, AnotherShapeNamesThePlace) {
  const auto read = [](std::string_view json) {
    return problem([&] {
      JsonReader in(json);
      in.object([&](const std::string&) {
        in.array([&] { in.object([&](const std::string&) { in.number(); }); });
      });
      in.end();
    });
  };
  EXPECT_EQ(read(R"({"a": [{"b": 1}, {"b": 2, "c": 3}], "d": []})"), "none");
  EXPECT_EQ(read(R"({"a": [{"b": 1}, {"c": "x"}]})"),
            "422 a[1].c a[1].c: expected a number, found a text");
  EXPECT_EQ(read(R"({"a": [[]]})"), "422 a[0] a[0]: expected an object, found a list");
  EXPECT_EQ(read(R"({"a": null})"), "422 a a: expected a list, found null");
  EXPECT_EQ(read("[]"), "422  expected an object, found a list");
  EXPECT_EQ(read(R"({"a": [{"b": true}]})"),
            "422 a[0].b a[0].b: expected a number, found true or false");
}

TEST(JsonReaderTest, BrokenShapes) {
  const auto read = [](std::string_view json) {
    return problem([&] {
      JsonReader in(json);
      in.object([&](const std::string&) { in.array([&] { in.number(); }); });
      in.end();
    });
  };
  EXPECT_EQ(read("{\"a\":[1,2]} \n"), "none");
  EXPECT_EQ(read("{}"), "none");
  EXPECT_EQ(read("{\"a\":[1,2"),
            "400  the body is not JSON: byte 9: expected ',' or ']', found the end");
  EXPECT_EQ(read("{\"a\":[1,]}"),
            "400  the body is not JSON: byte 8: expected a value, found \"]\"");
  for (const char* json : {"{", "{\"a\"", "{\"a\":", "{\"a\":[", "{\"a\" 1}", "{a:[]}", "{\"a\":[]",
                           "{\"a\":[]]", "{\"a\":[1 2]}", "{\"a\":[],}", "{} {}", "\xef\xbb\xbf{}"})
    EXPECT_TRUE(read(json).starts_with("400 ")) << json;
}

// However deep the text is, a caller reads what it knows.
TEST(JsonReaderTest, DepthIsTheCallers) {
  const std::string deep(1 << 20, '[');
  EXPECT_EQ(problem([&] {
              JsonReader in(deep);
              in.array([&] { in.number(); });
            }),
            "422 [0] [0]: expected a number, found a list");
}

TEST(JsonTextTest, EscapesWhatMustBe) {
  std::string out;
  append_json_text(out, "a\"b\\\n\x01\x7fä🦉");
  EXPECT_EQ(out, "\"a\\\"b\\\\\\u000a\\u0001\\u007fä🦉\"");
  EXPECT_EQ(text_of(out), "a\"b\\\n\x01\x7fä🦉");
}

}  // namespace
}  // namespace scrl
