#include "io/source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "support/archives.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace scrl {
namespace {

using testing::ElementsAre;

std::vector<std::string> names(const Source& source) {
  std::vector<std::string> out;
  for (const SourceFile& f : source.files()) out.push_back(f.name);
  return out;
}

TEST(SourceTest, FolderAndArchiveLookAlike) {
  const TempFolder folder;
  folder.write("set/knn/c5.txt", "0 1\n");
  folder.write("set/b.edge", "0 1\n1 2\n");
  folder.write("set/.hidden", "x");
  folder.write("set/.git/config", "x");
  const std::string path =
      folder.write("b.zip", ZipWriter()
                                .add({.name = "b/", .text = "", .method = 0})
                                .add({.name = "b/knn/c5.txt", .text = "0 1\n"})
                                .add({.name = "b/b.edge", .text = "0 1\n1 2\n"})
                                .add({.name = "__MACOSX/b/._b.edge", .text = "x"})
                                .add({.name = "b/.DS_Store", .text = "x"})
                                .finish());
  for (const std::string& where : {folder.path() + "/set", folder.path() + "/set/", path}) {
    SCOPED_TRACE(where);
    const auto source = open_source(where);
    EXPECT_EQ(source->path(), where);
    EXPECT_THAT(names(*source), ElementsAre("b.edge", "knn/c5.txt"));
    EXPECT_TRUE(source->has("knn/c5.txt"));
    EXPECT_FALSE(source->has("c5.txt"));
    EXPECT_EQ(source->files()[0].size, 8);
    EXPECT_EQ(read_all(*source->open("b.edge"), 100), "0 1\n1 2\n");
    EXPECT_EQ(error_of([&] { source->open("none"); }), where + ": no file named none");
  }
  EXPECT_EQ(open_source(path)->open("b.edge")->name(), path + "/b/b.edge");
  EXPECT_EQ(open_source(path)->file_path("b.edge"), "");
  EXPECT_EQ(open_source(folder.path() + "/set")->file_path("b.edge"),
            folder.path() + "/set/b.edge");
}

TEST(SourceTest, ACommonFolderIsStripped) {
  const TempFolder folder;
  folder.write("outer/inner/edges.csv", "a,b\n");
  folder.write("outer/inner/knn/c5.txt", "0 1\n");
  const auto source = open_source(folder.path());
  EXPECT_THAT(names(*source), ElementsAre("edges.csv", "knn/c5.txt"));
  EXPECT_EQ(source->file_path("edges.csv"), folder.path() + "/outer/inner/edges.csv");
}

// The time may grow with the size of the archive, not with its square.
TEST(SourceTest, DeepNamesTakeNoLongerThanOthers) {
  const TempFolder folder;
  std::string deep;
  while (deep.size() < 64'000) deep += "a/";
  ZipWriter zip;
  for (int i = 0; i < 200; ++i)
    zip.add({.name = deep + std::to_string(i), .text = "", .method = 0});
  const std::string path = folder.write("deep.zip", zip.finish());
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(open_source(path)->files().size(), 200u);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_LT(took.count(), 5);  // compared folder by folder it takes far longer
}

TEST(SourceTest, GzipIsUnpackedInsideArchivesToo) {
  const TempFolder folder;
  const std::string path = folder.write(
      "a.zip",
      ZipWriter().add({.name = "edges.csv.gz", .text = gzip_bytes("a,b\n"), .method = 0}).finish());
  EXPECT_EQ(read_all(*open_source(path)->open("edges.csv.gz"), 100), "a,b\n");
}

TEST(SourceTest, TheStampChangesWithTheFile) {
  const TempFolder folder;
  const auto stamp = [&](const std::string& text) {
    return open_source(folder.write("a.zip", ZipWriter().add({.name = "x", .text = text}).finish()))
        ->files()[0]
        .stamp;
  };
  EXPECT_EQ(stamp("abc"), stamp("abc"));
  EXPECT_NE(stamp("abc"), stamp("abd"));
}

TEST(SourceTest, TheStampOfAFileIsMoreThanItsTime) {
  const TempFolder folder;
  const std::filesystem::path a = folder.write("a", "abc"), b = folder.write("b", "abd");
  std::filesystem::last_write_time(b, std::filesystem::last_write_time(a));
  const auto files = open_source(folder.path())->files();
  EXPECT_NE(files[0].stamp, files[1].stamp);
  EXPECT_EQ(files[0].stamp, open_source(folder.path())->files()[0].stamp);
}

TEST(SourceTest, AnythingElseIsRefused) {
  const TempFolder folder;
  const std::string text = folder.write("edges.csv", "a,b\n");
  EXPECT_EQ(error_of([&] { open_source(text); }),
            text + ": expected a folder, a zip archive, an .npz archive or a .graphml file");
  EXPECT_EQ(error_of([&] { open_source(folder.path() + "/none"); }),
            folder.path() + "/none: cannot open: No such file or directory");
}

}  // namespace
}  // namespace scrl
