#include "io/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace scrl {
namespace {

TEST(Utf8Test, AcceptsTheEndsOfEveryRange) {
  for (const char* text :
       {"", "plain", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf", "\xee\x80\x80",
        "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf", "a\xc3\xa9\xe6\x9d\xb1z"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
}

TEST(Utf8Test, RefusesWhatUnicodeDoes) {
  for (const char* text : {
           "\x80",                                          // no lead byte
           "caf\xe9", "\xe9 a", "\xc3",                     // Latin-1, cut
           "\xe6\x9d", "\xf0\x9f\x90",                      //
           "\xc0\xaf", "\xc1\xbf",                          // overlong
           "\xe0\x9f\xbf",                                  //
           "\xf0\x8f\xbf\xbf",                              //
           "\xed\xa0\x80", "\xed\xbf\xbf",                  // surrogates
           "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xff",  // too large
           "\xc3\x28", "\xe6\x9d\x28",                      // bad continuation
       }) {
    EXPECT_FALSE(is_utf8(text)) << std::string(text).size();
  }
}

TEST(Utf8Test, ControlCharacters) {
  for (int c = 0; c < 256; ++c) {
    EXPECT_EQ(is_control(static_cast<char>(c)), c < 32 || c == 127) << c;
  }
}

}  // namespace
}  // namespace scrl
