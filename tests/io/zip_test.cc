#include "io/zip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/archives.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace scrl {
namespace {

using testing::ElementsAre;
using testing::StartsWith;

std::string entry_text(const ZipArchive& zip, const std::string& name) {
  return read_all(*zip.open(name), 1 << 20);
}

std::vector<std::string> names(const ZipArchive& zip) {
  std::vector<std::string> out;
  for (const ZipEntry& e : zip.entries()) out.push_back(e.name);
  return out;
}

class ZipTest : public testing::Test {
 protected:
  std::string write(const std::string& bytes) const { return folder_.write("a.zip", bytes); }

  // Opens an archive and reads all of it; the message without the path of the archive.
  std::string failure(const std::string& bytes) const {
    const std::string path = write(bytes);
    const std::string message = error_of([&] {
      const ZipArchive zip(path);
      for (const ZipEntry& e : zip.entries()) read_all(*zip.open(e), 1 << 20);
    });
    return replaced(message, path, "a.zip");
  }

  TempFolder folder_;
};

TEST_F(ZipTest, ReadsStoredAndDeflatedEntriesInAnyForm) {
  const std::string text(100000, 'x');
  for (const bool zip64 : {false, true}) {
    for (const std::string& comment : {std::string(), std::string(60000, 'c')}) {
      const ZipArchive zip(write(ZipWriter()
                                     .add({.name = "d/", .text = "", .method = 0})
                                     .add({.name = "d/z.txt", .text = text, .zip64 = zip64})
                                     .add({.name = "d/a.txt", .text = "abc", .method = 0})
                                     .add({.name = "none", .text = "", .zip64 = zip64})
                                     .finish(zip64, comment)));
      EXPECT_THAT(names(zip), ElementsAre("d/a.txt", "d/z.txt", "none"));
      EXPECT_EQ(entry_text(zip, "d/z.txt"), text);
      EXPECT_EQ(entry_text(zip, "d/a.txt"), "abc");
      EXPECT_EQ(entry_text(zip, "none"), "");
      EXPECT_EQ(zip.find("d/z.txt")->size, 100000);
      EXPECT_EQ(zip.find("other"), nullptr);
    }
  }
}

TEST_F(ZipTest, StreamsAreIndependentAndOutliveTheArchive) {
  auto zip = std::make_unique<ZipArchive>(write(
      ZipWriter().add({.name = "a", .text = "1234"}).add({.name = "b", .text = "5678"}).finish()));
  const auto a = zip->open("a"), b = zip->open("b");
  zip.reset();
  std::string two(2, '\0');
  std::string joined;
  for (int i = 0; i < 2; ++i) {
    for (ByteStream* stream : {a.get(), b.get()}) {
      ASSERT_EQ(stream->read(two), 2u);
      joined += two;
    }
  }
  EXPECT_EQ(joined, "12563478");
}

TEST_F(ZipTest, NamesCannotPointOutside) {
  const ZipArchive zip(write(ZipWriter()
                                 .add({.name = "../../etc/passwd", .text = "1"})
                                 .add({.name = "/abs", .text = "2"})
                                 .add({.name = "w\\in\\dows", .text = "3"})
                                 .add({.name = "a/./b\x1b[1m", .text = "4"})
                                 .finish()));
  EXPECT_THAT(names(zip), ElementsAre("a/b?[1m", "abs", "etc/passwd", "w/in/dows"));
}

TEST_F(ZipTest, RefusesWhatItCannotUnpack) {
  EXPECT_EQ(failure(ZipWriter().add({.name = "x", .text = "abc", .flags = 1}).finish()),
            "a.zip/x: encrypted; write the archive without a password");
  EXPECT_EQ(
      failure(ZipWriter().add({.name = "x", .text = "abc", .method = 12}).finish()),
      "a.zip/x: compression method 12 is not supported; write the archive with deflate (8) or "
      "stored (0) entries");
  std::string parts = ZipWriter().add({.name = "x", .text = "abc"}).finish();
  parts[parts.size() - 18] = 1;
  EXPECT_EQ(failure(parts), "a.zip: zip archives in several parts are not supported");
}

TEST_F(ZipTest, LyingSizesAndChecksumsAreNoticed) {
  const std::string text(1000, 'a');
  EXPECT_EQ(failure(ZipWriter().add({.name = "x", .text = text, .claim_size = 999}).finish()),
            "a.zip/x: damaged: expected 999 bytes, found at least 1000");
  EXPECT_EQ(failure(ZipWriter().add({.name = "x", .text = text, .claim_size = 1001}).finish()),
            "a.zip/x: damaged: expected 1001 bytes, found 1000");
  EXPECT_EQ(
      failure(ZipWriter().add({.name = "x", .text = text, .method = 0, .claim_size = 5}).finish()),
      "a.zip/x: damaged: a stored entry of 1000 bytes claims to hold 5");
  EXPECT_EQ(failure(ZipWriter().add({.name = "x", .text = text, .claim_crc = 1}).finish()),
            "a.zip/x: damaged: the checksum does not match");
}

TEST_F(ZipTest, LyingPositionsAreNoticed) {
  const ZipSpec first = {.name = "x", .text = "some text"};
  EXPECT_EQ(
      failure(ZipWriter().add(first).add({.name = "y", .text = "b", .claim_offset = 0}).finish()),
      "a.zip: damaged zip archive: y overlaps another entry");
  EXPECT_EQ(failure(ZipWriter().add({.name = "x", .text = "abc", .claim_offset = 4000}).finish()),
            "a.zip: damaged zip archive: x does not lie inside the file");
  EXPECT_EQ(failure(ZipWriter()
                        .add({.name = "x", .text = "abc", .claim_offset = INT64_MAX, .zip64 = true})
                        .finish(true)),
            "a.zip: damaged zip archive: x does not lie inside the file");
  EXPECT_EQ(failure(ZipWriter().add(first).add(first).finish()),
            "a.zip: damaged zip archive: two entries are named x");
  EXPECT_EQ(failure(ZipWriter().add({.name = "", .text = "abc"}).finish()),
            "a.zip: damaged zip archive: an entry has no name");
  EXPECT_EQ(failure("PK\3\4"), "a.zip: damaged zip archive: only 4 bytes long");
}

TEST_F(ZipTest, EveryTruncationIsAnError) {
  const std::string bytes = ZipWriter()
                                .add({.name = "x", .text = "0 1 0 1 1 0"})
                                .add({.name = "y", .text = "abc", .method = 0, .zip64 = true})
                                .finish(true);
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    ASSERT_THAT(failure(bytes.substr(0, n)), StartsWith("a.zip: damaged zip archive: ")) << n;
  }
}

// A flip in a field that nothing depends on (a time, an attribute) may pass; what is read must then
// be what was written.
TEST_F(ZipTest, NoFlippedByteGoesUnnoticedOrCrashes) {
  const std::string text = "0 1 0 1 1 0 0 0 0 1";
  const std::string bytes = ZipWriter()
                                .add({.name = "x", .text = text})
                                .add({.name = "y", .text = text, .method = 0, .zip64 = true})
                                .finish(true);
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    for (const int mask : {1, 8, 0x80, 0xff}) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ mask);
      const std::string path = write(damaged);
      try {
        const ZipArchive zip(path);
        for (const ZipEntry& e : zip.entries()) {
          ASSERT_EQ(read_all(*zip.open(e), 1 << 20), text) << "byte " << at << " mask " << mask;
        }
      } catch (const Error& error) {
        ASSERT_EQ(error.kind(), ErrorKind::kData);
        ASSERT_THAT(error.what(), StartsWith(path));
      }
    }
  }
}

TEST_F(ZipTest, IsRecognisedByContent) {
  EXPECT_TRUE(is_zip(write(ZipWriter().add({.name = "x", .text = "abc"}).finish())));
  EXPECT_TRUE(is_zip(write(ZipWriter().finish())));
  EXPECT_FALSE(is_zip(write("PK and more")));
  EXPECT_FALSE(is_zip(write("")));
  EXPECT_FALSE(is_zip(folder_.path() + "/none"));
}

}  // namespace
}  // namespace scrl
