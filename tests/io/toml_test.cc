#include "io/toml.h"

#include <gtest/gtest.h>

#include "support/errors.h"
#include "support/temp_folder.h"

namespace scrl {
namespace {

std::string refusal(const std::string& text) {
  return usage_error_of([&] { parse_toml(text, "f.toml"); });
}

TEST(Toml, ValuesAreTheTextsOfOptions) {
  const toml::table t = parse_toml("a = 1\nb = 0.5\nc = true\nd = \"x\"\ne = [1]\n", "f.toml");
  EXPECT_EQ(scalar_text(*t.get("a")), "1");
  EXPECT_EQ(scalar_text(*t.get("b")), "0.5");
  EXPECT_EQ(scalar_text(*t.get("c")), "true");
  EXPECT_EQ(scalar_text(*t.get("d")), "x");
  EXPECT_EQ(scalar_text(*t.get("e")), std::nullopt);
}

// toml++ 3.3 goes on with undefined behaviour after the 5 of the first of these.
TEST(Toml, CharactersBeyondAsciiAreRefusedOutsideOfTextsAndComments) {
  const std::string why =
      "expected only ASCII outside of quotes and comments; put the value in quotes";
  EXPECT_EQ(refusal("k = 5\xC6\x97\n"), "f.toml:1: " + why);
  EXPECT_EQ(refusal("a = 1\n\xC3\xA4 = 5\n"), "f.toml:2: " + why);
  EXPECT_EQ(refusal("a = '''\n\xC3\xA4\n'''\xC3\xA4"), "f.toml:3: " + why);
  EXPECT_EQ(refusal("a = \"\\\"\" # \"\nb = \xC3\xA4\n"), "f.toml:2: " + why);
  EXPECT_EQ(refusal("a = 'it'\nb = '\xC3\xA4'\xC3\xA4\n"), "f.toml:2: " + why);
}

TEST(Toml, CharactersBeyondAsciiStandInTextsAndComments) {
  const toml::table t = parse_toml(
      "\xEF\xBB\xBF# \xC3\xA4\na = \"\xC3\xA4\\\"\xC3\xA4\"  # \xC6\x97 \"\nb = '\xC3\xA4'\n"
      "c = \"\"\"\n\"\xC3\xA4\"\n\"\"\"\n",
      "f.toml");
  EXPECT_EQ(scalar_text(*t.get("a")), "\xC3\xA4\"\xC3\xA4");
  EXPECT_EQ(scalar_text(*t.get("b")), "\xC3\xA4");
  EXPECT_EQ(scalar_text(*t.get("c")), "\"\xC3\xA4\"\n");
}

TEST(Toml, MistakesAreNamedWithTheirLine) {
  EXPECT_TRUE(refusal("a = 1\nb = \n").starts_with("f.toml:2: ")) << refusal("a = 1\nb = \n");
  const std::string cut = refusal("a = t\n");  // the library quotes the line break
  EXPECT_TRUE(cut.starts_with("f.toml:1: ") && cut.find('\n') == std::string::npos) << cut;
  EXPECT_EQ(refusal("a = \"\xFF\"\n"), "f.toml: expected text in UTF-8, found other bytes");
}

TEST(Toml, AFileThatCannotBeSettingsIsNotReadWhole) {
  const TempFolder folder;
  const std::string path = folder.write("large.toml", "");
  std::filesystem::resize_file(path, std::uintmax_t{1} << 40);  // sparse
  EXPECT_EQ(usage_error_of([&] { read_toml(path); }),
            path + ": expected at most 16777216 bytes, found more");
  EXPECT_EQ(usage_error_of([&] { read_toml(path + "x"); }),
            path + "x: cannot open: No such file or directory");
}

}  // namespace
}  // namespace scrl
