// Every file of tests/data/bad is a data set with a mistake. Its first line is the message that
// loading it must give; then follow its files, each after a line "-- name --". In the message the
// path of the folder is left out, or written FOLDER where the folder itself is at fault. Bytes that
// are not text are written here instead.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "data/dataset.h"
#include "scrl/dataset.h"
#include "support/archives.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace scrl {
namespace {

namespace fs = std::filesystem;

std::string failure(const std::string& path) {
  const std::string message = error_of([&] { load_dataset(path, {.use_cache = false}); });
  return replaced(replaced(message, path + "/", ""), path, "FOLDER");
}

std::vector<std::string> case_names() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(SCRL_TEST_DATA "/bad")) {
    names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class BadDataTest : public testing::TestWithParam<std::string> {};

TEST_P(BadDataTest, GivesTheExpectedMessage) {
  std::ifstream in(SCRL_TEST_DATA "/bad/" + GetParam() + ".txt");
  std::string expected, line, name, text;
  ASSERT_TRUE(std::getline(in, expected));
  const TempFolder folder;
  const auto flush = [&] {
    if (!name.empty()) folder.write(name, text);
    text.clear();
  };
  while (std::getline(in, line)) {
    if (line.starts_with("-- ") && line.ends_with(" --")) {
      flush();
      name = line.substr(3, line.size() - 6);
    } else {
      text += line + "\n";
    }
  }
  flush();
  EXPECT_EQ(failure(folder.path()), expected);
}

INSTANTIATE_TEST_SUITE_P(Cases, BadDataTest, testing::ValuesIn(case_names()),
                         [](const auto& test) { return test.param; });

TEST(BadDataCasesTest, AreAllThere) { EXPECT_GE(case_names().size(), 420u); }

// A sound data set of three nodes whose edges are given as `bytes`.
std::string failure_with_edges(const std::string& file, const std::string& bytes) {
  const TempFolder folder;
  folder.write("features.csv", "1,0\n0,1\n1,1\n");
  folder.write(file, bytes);
  return failure(folder.path());
}

TEST(BadBytesTest, BinaryTextIsRefused) {
  EXPECT_EQ(failure_with_edges("edges.txt", std::string("0 1\n1\0 2\n", 9)),
            "edges.txt:2: expected text, found a NUL byte (a binary or UTF-16 file?)");
  EXPECT_EQ(failure_with_edges("edges.txt", std::string("\xff\xfe"
                                                        "0\0 \0"
                                                        "1\0\n\0",
                                                        10)),
            "edges.txt:1: expected text, found a NUL byte (a binary or UTF-16 file?)");
  EXPECT_EQ(failure_with_edges("edges.txt", "0 1\n1 \x1b[31m2\n"),
            "edges.txt:2: target: expected a node number 0..2 (rows of features.csv; ids.txt can "
            "give them names), found \"?[31m2\"");
}

TEST(BadBytesTest, DamagedGzipIsRefused) {
  const std::string good = gzip_bytes("0 1\n1 2\n2 0\n");
  ASSERT_EQ(failure_with_edges("edges.txt.gz", good), "(nothing thrown)");
  const auto damaged = [&](std::size_t at, int mask) {
    std::string bytes = good;
    bytes[at] = static_cast<char>(bytes[at] ^ mask);
    return failure_with_edges("edges.txt.gz", bytes);
  };
  EXPECT_EQ(damaged(good.size() - 8, 1), "edges.txt.gz: damaged: incorrect data check");
  EXPECT_EQ(damaged(good.size() - 1, 1), "edges.txt.gz: damaged: incorrect length check");
  EXPECT_EQ(damaged(2, 15), "edges.txt.gz: damaged: unknown compression method");
  EXPECT_EQ(failure_with_edges("edges.txt.gz", good + "more"),
            "edges.txt.gz: damaged: other bytes follow the end of the packed data");
  for (std::size_t n = 2; n < good.size(); ++n) {
    ASSERT_EQ(failure_with_edges("edges.txt.gz", good.substr(0, n)),
              "edges.txt.gz: truncated: packed data ends before its end mark");
  }
}

// Whatever happens to an archive, loading ends with an Error(kData) or with the right data.
TEST(BadBytesTest, DamagedArchivesNeverCrash) {
  const std::string good = ZipWriter()
                               .add({.name = "x/x.label", .text = "0\n1\n0\n"})
                               .add({.name = "x/x.feature", .text = "1 0\n0 1\n1 1\n"})
                               .add({.name = "x/x.edge", .text = "0 1\n1 2\n", .method = 0})
                               .finish();
  const TempFolder folder;
  const std::string path = folder.write("x.zip", good);
  const std::string wanted = fingerprint(load_dataset(path, {.use_cache = false}));
  int refused = 0;
  const auto attempt = [&](const std::string& bytes) {
    folder.write("x.zip", bytes);
    std::string found = wanted;
    const std::string message =
        error_of([&] { found = fingerprint(load_dataset(path, {.use_cache = false})); });
    EXPECT_EQ(found, wanted);
    EXPECT_FALSE(message.starts_with("(other kind)")) << message;
    refused += message != "(nothing thrown)";
  };
  for (std::size_t n = 0; n < good.size(); ++n) attempt(good.substr(0, n));
  EXPECT_EQ(refused, static_cast<int>(good.size()));
  for (std::size_t at = 0; at < good.size(); ++at) {
    std::string bytes = good;
    bytes[at] = static_cast<char>(bytes[at] ^ (1 << at % 8));
    attempt(bytes);
  }
}

TEST(BadBytesTest, AnEmptyFolderListsWhatIsUnderstood) {
  const TempFolder folder;
  EXPECT_EQ(
      failure(folder.path()),
      "FOLDER: expected a file with the edges of the graph, found no files; understood names: "
      "edges.{csv,tsv,txt,edges,edgelist}, "
      "features.{csv,tsv,txt,svm,svmlight,libsvm,mtx,npz,npy}, labels.{csv,tsv,txt}, "
      "train/val/test.{csv,tsv,txt}, features.knn.{csv,tsv,txt}, ids.txt, classes.txt");
}

}  // namespace
}  // namespace scrl
