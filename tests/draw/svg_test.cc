#include "draw/svg.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace scrl {
namespace {

using ::testing::HasSubstr;

TEST(SvgTest, TextIsEscaped) {
  EXPECT_EQ(svg_escaped("a<b> & \"c\" 'd'"), "a&lt;b&gt; &amp; &quot;c&quot; 'd'");
  EXPECT_EQ(svg_escaped("é 漢 😀"), "é 漢 😀");
  // No XML: control characters, half a character, an overlong one, a surrogate, U+FFFF.
  EXPECT_EQ(svg_escaped(std::string("a\0b\n\x1b\x7f", 6)), "a?b???");
  EXPECT_EQ(svg_escaped("x\xc3"), "x?");
  EXPECT_EQ(svg_escaped("\xc0\xaf"), "??");
  EXPECT_EQ(svg_escaped("\xed\xa0\x80"), "???");
  EXPECT_EQ(svg_escaped("\xef\xbf\xbf"), "???");
  EXPECT_EQ(svg_escaped(""), "");
}

TEST(SvgTest, NumbersHaveAtMostOneDecimal) {
  EXPECT_EQ(svg_number(12), "12");
  EXPECT_EQ(svg_number(12.34), "12.3");
  EXPECT_EQ(svg_number(-0.5), "-0.5");
  EXPECT_EQ(svg_number(-0.04), "0");
  EXPECT_EQ(svg_number(0.96), "1");
  EXPECT_EQ(svg_number(-12.96), "-13");
}

TEST(SvgTest, ColoursBeginAnew) {
  EXPECT_STREQ(chart_color(0), chart_color(kChartColors));
  for (std::size_t i = 0; i < kChartColors; ++i)
    for (std::size_t j = 0; j < i; ++j) EXPECT_STRNE(chart_color(i), chart_color(j));
}

TEST(SvgTest, ADocument) {
  SvgWriter out(100, 50.5, "a & b");
  out.text(1, 2, "<x>", 12, Anchor::kMiddle);
  out.sign(10, 10, 3, 2, "#123456");
  const std::string text = std::move(out).finish();
  EXPECT_TRUE(text.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""));
  EXPECT_TRUE(text.ends_with("</svg>\n"));
  EXPECT_THAT(text, HasSubstr("viewBox=\"0 0 100 50.5\""));
  EXPECT_THAT(text, HasSubstr("<title>a &amp; b</title>"));
  EXPECT_THAT(text, HasSubstr("text-anchor=\"middle\">&lt;x&gt;</text>"));
  EXPECT_THAT(text, HasSubstr("fill=\"#123456\""));
  EXPECT_GT(svg_text_width("éé", 10), 0);
  EXPECT_EQ(svg_text_width("éé", 10), svg_text_width("ab", 10));
}

}  // namespace
}  // namespace scrl
