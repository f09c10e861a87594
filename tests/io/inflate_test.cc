#include "io/inflate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/archives.h"
#include "support/errors.h"
#include "support/temp_folder.h"
#include "support/text_stream.h"

namespace scrl {
namespace {

using testing::StartsWith;

std::string content(const std::string& path) { return read_all(*open_file(path), Index{1} << 30); }

std::string lines(int n) {
  std::string text;
  for (int i = 0; i < n; ++i) text += std::to_string(i * 7919) + "\n";
  return text;
}

TEST(InflateTest, GzipIsRecognisedByContentNotByName) {
  const TempFolder folder;
  const std::string text = lines(50000);
  EXPECT_EQ(content(folder.write("a.txt", gzip_bytes(text))), text);
  EXPECT_EQ(content(folder.write("b.gz", text)), text);
  EXPECT_EQ(content(folder.write("empty", "")), "");
  EXPECT_EQ(content(folder.write("one", "\x1f")), "\x1f");
  EXPECT_EQ(content(folder.write("packed-nothing", gzip_bytes(""))), "");
}

TEST(InflateTest, ConcatenatedMembersAreJoined) {
  const TempFolder folder;
  const std::string a = lines(100), b = lines(20000);
  EXPECT_EQ(content(folder.write("x", gzip_bytes(a) + gzip_bytes("") + gzip_bytes(b))), a + b);
}

std::string unpacked(const std::string& bytes) {
  return read_all(*unpack_if_gzip(text_stream(bytes)), Index{1} << 30);
}

TEST(InflateTest, EveryTruncationIsAnError) {
  const std::string packed = gzip_bytes(lines(200));
  for (std::size_t n = 2; n < packed.size(); ++n) {
    ASSERT_EQ(error_of([&] { unpacked(packed.substr(0, n)); }),
              "file: truncated: packed data ends before its end mark")
        << n << " bytes";
  }
}

// A flip may hit a bit without meaning (a time, padding); then the content is still right.
TEST(InflateTest, NoFlippedBitChangesTheContentUnnoticed) {
  const std::string text = lines(40), packed = gzip_bytes(text);
  int noticed = 0;
  for (std::size_t at = 2; at < packed.size(); ++at) {
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = packed;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      std::string found = text;
      const std::string message = error_of([&] { found = unpacked(damaged); });
      ASSERT_EQ(found, text) << "byte " << at << " bit " << bit;
      noticed += message.starts_with("file: damaged: ") || message.starts_with("file: truncated: ");
    }
  }
  EXPECT_GT(noticed, static_cast<int>(8 * packed.size()) - 100);
}

TEST(InflateTest, BytesAfterTheEndAreRefused) {
  const TempFolder folder;
  const std::string path = folder.write("x", gzip_bytes("abc") + "more");
  EXPECT_EQ(error_of([&] { content(path); }),
            path + ": damaged: other bytes follow the end of the packed data");
}

TEST(InflateTest, ABombIsRefusedBeforeItFillsMemory) {
  const TempFolder folder;
  const std::string member = gzip_bytes(std::string(4 << 20, '0'));
  std::string packed;
  for (int i = 0; i < 128; ++i) packed += member;  // half a gigabyte of zeros, a thousand to one
  const std::string path = folder.write("bomb", packed);
  const auto stream = open_file(path);
  std::string buffer(1 << 20, '\0');
  Index total = 0;
  const std::string message = error_of([&] {
    while (const std::size_t got = stream->read(buffer)) total += static_cast<Index>(got);
  });
  EXPECT_THAT(message, StartsWith(path + ": refused: "));
  EXPECT_LE(total, kExpansionAllowance);
}

TEST(ByteStreamTest, ReadAllStopsAtItsLimit) {
  const TempFolder folder;
  const std::string path = folder.write("x", "12345");
  EXPECT_EQ(read_all(*open_file(path), 5), "12345");
  EXPECT_EQ(error_of([&] { read_all(*open_file(path), 4); }),
            path + ": expected at most 4 bytes, found more");
}

TEST(ByteStreamTest, WhatCannotBeOpenedSaysWhy) {
  const TempFolder folder;
  const std::string path = folder.path() + "/none";
  EXPECT_EQ(error_of([&] { open_file(path); }), path + ": cannot open: No such file or directory");
  EXPECT_EQ(error_of([&] { open_file(folder.path()); }),
            folder.path() + ": expected a file, found a folder");
}

}  // namespace
}  // namespace scrl
