#include "io/line_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/errors.h"
#include "support/text_stream.h"

namespace scrl {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

std::vector<std::string> lines_of(const std::string& text, std::size_t piece = 3) {
  LineReader reader(text_stream(text, "file", piece));
  std::vector<std::string> out;
  while (reader.next()) out.push_back(cat(reader.line_number(), "|", reader.line()));
  return out;
}

TEST(LineReaderTest, SkipsBlankLinesAndComments) {
  EXPECT_THAT(lines_of("# head\na\n\n  \t\n% more\n b # c\n"), ElementsAre("2|a", "6| b # c"));
  EXPECT_THAT(lines_of(""), IsEmpty());
  EXPECT_THAT(lines_of("\n\n#\n"), IsEmpty());
}

TEST(LineReaderTest, AcceptsCrlfByteOrderMarkAndMissingLastEnd) {
  EXPECT_THAT(lines_of("\xef\xbb\xbfx y\r\n\r\nz\r\nlast"), ElementsAre("1|x y", "3|z", "4|last"));
  EXPECT_THAT(lines_of("\xef\xbb\xbf# c\r\nz"), ElementsAre("2|z"));
}

TEST(LineReaderTest, TheSizeOfReadsDoesNotMatter) {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += std::string(static_cast<std::size_t>(i % 97), 'x') + "y\n";
  const auto expected = lines_of(text, 1 << 20);
  ASSERT_EQ(expected.size(), 2000u);
  for (const std::size_t piece : {1, 2, 64, 4096}) EXPECT_EQ(lines_of(text, piece), expected);
}

TEST(LineReaderTest, LinesMayBeLongerThanTheBuffer) {
  const std::string longest(5 << 20, 'x');
  LineReader reader(text_stream("a\n" + longest + "\nb\n", "file", 1 << 16));
  ASSERT_TRUE(reader.next() && reader.next());
  EXPECT_EQ(reader.line(), longest);
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(reader.line(), "b");
}

class EndlessStream final : public ByteStream {
 public:
  EndlessStream() : ByteStream("endless") {}
  std::size_t read(std::span<char> buffer) override {
    std::fill(buffer.begin(), buffer.end(), '1');
    return buffer.size();
  }
  Index stored_bytes() const override { return 0; }
};

TEST(LineReaderTest, AnEndlessLineIsRefused) {
  LineReader reader(std::make_unique<EndlessStream>());
  EXPECT_EQ(error_of([&] { reader.next(); }), "endless:1: line longer than 256 MB");
}

TEST(LineReaderTest, NulBytesAreRefused) {
  LineReader reader(text_stream(std::string("a\nb\0c\n", 6)));
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(error_of([&] { reader.next(); }),
            "file:2: expected text, found a NUL byte (a binary or UTF-16 file?)");
}

TEST(LineReaderTest, AGapIsReportedWhereItIs) {
  LineReader reader(text_stream("a\n#\n\n#\nb\nc\n\n"));
  ASSERT_TRUE(reader.next());
  reader.refuse_gap("x");
  ASSERT_TRUE(reader.next());
  EXPECT_EQ(error_of([&] { reader.refuse_gap("a row"); }),
            "file:3: expected a row, found a blank line");
  ASSERT_TRUE(reader.next());
  reader.refuse_gap("x");
  EXPECT_FALSE(reader.next());
}

TEST(LineReaderTest, ShownTextIsShortAndHarmless) {
  EXPECT_EQ(shown("abc"), "\"abc\"");
  EXPECT_EQ(shown(""), "an empty field");
  EXPECT_EQ(shown("a\x1b\tb"), "\"a??b\"");
  EXPECT_EQ(shown(std::string(41, 'x')), "\"" + std::string(40, 'x') + "...\"");
  // Never bytes that are not UTF-8, and no half characters.
  EXPECT_EQ(shown("caf\xe9"), "\"caf?\"");
  EXPECT_EQ(shown("caf\xc3\xa9"), "\"caf\xc3\xa9\"");
  EXPECT_EQ(shown(std::string(39, 'x') + "\xc3\xa9"), "\"" + std::string(39, 'x') + "...\"");
}

}  // namespace
}  // namespace scrl
