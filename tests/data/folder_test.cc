#include "data/folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "data/dataset.h"
#include "io/npy.h"
#include "scrl/dataset.h"
#include "support/archives.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace scrl {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using Files = std::map<std::string, std::string>;

Dataset load(const Files& files) {
  const TempFolder folder;
  for (const auto& [name, text] : files) folder.write(name, text);
  return load_dataset(folder.path(), {.use_cache = false});
}

const Files kNumbered = {{"edges.txt", "0 1\n1 2\n"}, {"features.txt", "1 0\n0 1\n1 1\n"}};

Files with(Files files, const Files& more) {
  for (const auto& [name, text] : more) files[name] = text;
  return files;
}

TEST(FolderTest, NumberedNodes) {
  const Dataset d = load(with(kNumbered, {{"labels.txt", "10\n9\n?\n"}}));
  EXPECT_EQ(d.nodes, 3);
  EXPECT_THAT(d.ids, IsEmpty());
  EXPECT_THAT(d.classes, ElementsAre("9", "10"));  // by value, not as text
  EXPECT_THAT(d.labels, ElementsAre(1, 0, kUnlabelled));
  EXPECT_THAT(d.edges.target, ElementsAre(1, 2));
  EXPECT_THAT(d.splits, IsEmpty());
}

TEST(FolderTest, LabelsAreOptional) {
  const Dataset d = load(kNumbered);
  EXPECT_THAT(d.labels, ElementsAre(kUnlabelled, kUnlabelled, kUnlabelled));
  EXPECT_THAT(d.classes, IsEmpty());
}

TEST(FolderTest, FeaturesKeyedByIdDefineTheOrderAndEdgesMayAddNodes) {
  const Dataset d = load({{"features.csv", "name,f\ncid,3\nann,1\n"},
                          {"edges.csv", "ann,bob\nbob,cid\n"},
                          {"labels.csv", "ann,x\nbob,NA\ncid,y\n"},
                          {"train.csv", "id\nann\n"},
                          {"test.txt", "cid\n"}});
  EXPECT_THAT(d.ids, ElementsAre("cid", "ann", "bob"));
  EXPECT_THAT(d.edges.source, ElementsAre(1, 2));
  EXPECT_THAT(d.features.row_ptr, ElementsAre(0, 1, 2, 2));
  EXPECT_THAT(d.features.val, ElementsAre(3, 1));
  EXPECT_THAT(d.labels, ElementsAre(1, 0, kUnlabelled));
  ASSERT_EQ(d.splits.size(), 1u);
  EXPECT_EQ(d.splits[0].labels_per_class, 0);
  EXPECT_THAT(d.splits[0].train, ElementsAre(1));
  EXPECT_THAT(d.splits[0].val, IsEmpty());
  EXPECT_THAT(d.splits[0].test, ElementsAre(0));
}

TEST(FolderTest, AListOfIdsDefinesTheOrder) {
  const Dataset d = load(
      {{"ids.txt", "a\nb\nc\n"}, {"features.csv", "id,f\nc,3\na,1\n"}, {"edges.csv", "a,b\n"}});
  EXPECT_THAT(d.ids, ElementsAre("a", "b", "c"));
  EXPECT_THAT(d.features.row_ptr, ElementsAre(0, 1, 1, 2));
  EXPECT_THAT(d.features.val, ElementsAre(1, 3));
  const Dataset rows =
      load({{"nodes.txt", "a\nb\n"}, {"features.txt", "5\n6\n"}, {"edges.txt", "b a\n"}});
  EXPECT_THAT(rows.features.val, ElementsAre(5, 6));
  EXPECT_THAT(rows.edges.source, ElementsAre(1));
}

TEST(FolderTest, LabelsNameTheRowsOfFeaturesWithoutIds) {
  const Dataset d =
      load(with(kNumbered, {{"labels.csv", "31336,x\n1061,y\n7,x\n"}, {"edges.txt", "7 31336\n"}}));
  EXPECT_THAT(d.ids, ElementsAre("31336", "1061", "7"));
  EXPECT_THAT(d.edges.source, ElementsAre(2));
}

TEST(FolderTest, IdsThatAreNumbersInOrderAreNotKept) {
  const Dataset d = load({{"features.csv", "id,f\n0,1\n1,1\n2,1\n"}, {"edges.csv", "0,1\n2,1\n"}});
  EXPECT_THAT(d.ids, IsEmpty());
}

TEST(FolderTest, TheSameContentHasOneFingerprintInEveryFormat) {
  const Files edges = {{"edges.txt", "0 1\n1 2\n"}};
  const std::string wanted = fingerprint(load(kNumbered));
  const std::vector<Files> ways = {
      with(edges, {{"features.csv", "1,0\n0,1\n1,1\n"}}),
      with(edges, {{"features.csv", "f1;f2\n1;0.0\n0;1\n1;1\n"}}),
      with(edges, {{"features.tsv.gz", gzip_bytes("id\tf1\tf2\n0\t1\t0\n1\t0\t1\n2\t1\t1\n")}}),
      with(edges, {{"features.svm", "0 0:1\n1 1:1\n2 0:1 1:1\n"}}),
      with(edges, {{"features.svmlight", "0:1 1:0\n1:1\n1:1 0:1\n"}}),
      with(edges, {{"features.libsvm.gz", gzip_bytes("0:1\n1:1\n0:1 1:1\n")}}),
      with(edges,
           {{"features.mtx",
             "%%MatrixMarket matrix coordinate pattern general\n3 2 4\n1 1\n2 2\n3 1\n3 2\n"}}),
      {{"features.txt", "1 0\n0 1\n1 1\n"}, {"edges.edgelist.gz", gzip_bytes("0,1,1\n1,2,1\n")}},
      {{"deep/features.txt", "1 0\n0 1\n1 1\n"}, {"deep/edges.edges", "u v\n0 1\n1 2\n"}},
  };
  for (const Files& files : ways) {
    EXPECT_EQ(fingerprint(load(files)), wanted)
        << files.begin()->first << " " << std::next(files.begin())->first;
  }
}

TEST(FolderTest, ClassOrderDoesNotDependOnTheFile) {
  const Dataset a = load(with(kNumbered, {{"labels.csv", "0,red\n1,blue\n2,Red\n"}}));
  const Dataset b = load(with(kNumbered, {{"labels.csv", "2,Red\n1,blue\n0,red\n"}}));
  EXPECT_THAT(a.classes, ElementsAre("Red", "blue", "red"));
  EXPECT_EQ(fingerprint(a), fingerprint(b));
}

TEST(FolderTest, AFirstLabelThatLooksLikeAHeaderIsKept) {
  const Files keyed = {{"features.csv", "id,f\na,1\nb,1\n"}, {"edges.csv", "a,b\nb,key\n"}};
  EXPECT_THAT(load(with(keyed, {{"labels.csv", "a,y\nb,n\n"}})).labels,
              ElementsAre(1, 0, kUnlabelled));
  EXPECT_THAT(load(with(keyed, {{"labels.csv", "key,n\nb,y\n"}})).labels,
              ElementsAre(kUnlabelled, 1, 0));
  EXPECT_THAT(load(with(keyed, {{"labels.csv", "paper,y\nb,n\n"}})).classes, ElementsAre("n"));
  // Ids are the numbers of the rows.
  EXPECT_THAT(load(with(kNumbered, {{"labels.csv", "0,y\n2,n\n"}})).labels,
              ElementsAre(1, kUnlabelled, 0));
  EXPECT_THAT(load(with(kNumbered, {{"labels.csv", "paper,y\n0,y\n1,n\n"}})).labels,
              ElementsAre(1, 0, kUnlabelled));
  // Ids are those of the labels.
  const Dataset named =
      load(with(kNumbered, {{"labels.csv", "a,y\nb,n\nc,y\n"}, {"edges.txt", "a c\n"}}));
  EXPECT_THAT(named.ids, ElementsAre("a", "b", "c"));
  EXPECT_THAT(named.labels, ElementsAre(1, 0, 1));
  // One column.
  EXPECT_THAT(load(with(kNumbered, {{"labels.txt", "y\nn\ny\n"}})).labels, ElementsAre(1, 0, 1));
  EXPECT_THAT(load(with(kNumbered, {{"labels.txt", "y\ny\nn\ny\n"}})).labels, ElementsAre(1, 0, 1));
  EXPECT_THAT(load(with(kNumbered, {{"labels.txt", "\nclass\nb\na\nb\n"}})).labels,
              ElementsAre(1, 0, 1));
}

TEST(FolderTest, NamesMayBeAnyUtf8) {
  const Dataset d = load({{"features.csv", "id,f\nZo\xc3\xab,1\n\xe6\x9d\xb1,1\n"},
                          {"edges.csv", "Zo\xc3\xab,\xf0\x9f\x90\x9f\n"},
                          {"labels.csv", "\xe6\x9d\xb1,caf\xc3\xa9\n"}});
  EXPECT_THAT(d.ids, ElementsAre("Zo\xc3\xab", "\xe6\x9d\xb1", "\xf0\x9f\x90\x9f"));
  EXPECT_THAT(d.classes, ElementsAre("caf\xc3\xa9"));
}

TEST(FolderTest, AQuotedIdMayStartLikeAComment) {
  const Dataset d = load({{"features.csv", "id,f\n\"#tag\",1\n\"%x\",2\n"},
                          {"edges.csv", "\"#tag\",#other\n#tag,%x\n"}});
  EXPECT_THAT(d.ids, ElementsAre("#tag", "%x", "#other"));
  EXPECT_EQ(d.edges.size(), 1);
  const Dataset svm = load({{"features.svm", "\"#tag\" 0:1\nb 0:1\n"},
                            {"edges.txt", "\"#tag\" b\n"},
                            {"labels.csv", "\"#tag\",\"#x\"\nb,y\n"},
                            {"train.txt", "\"#tag\"\n"}});
  EXPECT_THAT(svm.ids, ElementsAre("#tag", "b"));
  EXPECT_THAT(svm.classes, ElementsAre("#x", "y"));
  EXPECT_THAT(svm.splits[0].train, ElementsAre(0));
  // A line of ids.txt may be quoted as a whole; blanks before it are not part of the id.
  const Dataset listed = load({{"ids.txt", " #tag\n#note\n\"b\"\n\"%\"\"c\"\n"},
                               {"features.txt", "1\n2\n3\n"},
                               {"edges.csv", "\"#tag\",b\n"}});
  EXPECT_THAT(listed.ids, ElementsAre("#tag", "b", "%\"c"));
}

TEST(FolderTest, NumberedSplits) {
  const Dataset d = load(with(kNumbered, {{"labels.txt", "x\ny\nx\n"},
                                          {"train40.txt", "0\n1\n"},
                                          {"test40.txt", "2\n"},
                                          {"train20.txt", "0\n"},
                                          {"val20.csv.gz", gzip_bytes("node\n1\n")},
                                          {"training.txt", "not a split"},
                                          {"train20b.txt", "nor this"}}));
  ASSERT_EQ(d.splits.size(), 2u);
  EXPECT_EQ(d.splits[0].labels_per_class, 20);
  EXPECT_THAT(d.splits[0].val, ElementsAre(1));
  EXPECT_EQ(d.splits[1].labels_per_class, 40);
  EXPECT_THAT(d.splits[1].train, ElementsAre(0, 1));
  EXPECT_THAT(d.splits[1].test, ElementsAre(2));
}

TEST(FolderTest, AMatrixWithoutRowsIsRefused) {
  const TempFolder folder;
  folder.write("edges.csv", "0,1\n");
  folder.write("features.npy", npy_bytes(Matrix(0, 4)));
  EXPECT_EQ(error_of([&] { load_dataset(folder.path(), {.use_cache = false}); }),
            folder.path() +
                "/features.npy: expected one row per node, found no rows, so that there are no "
                "nodes");
}

TEST(FolderTest, NumpyFilesInsideAnArchiveAreRefused) {
  const TempFolder folder;
  const std::string path = folder.write("a.zip", ZipWriter()
                                                     .add({.name = "edges.csv", .text = "0,1\n"})
                                                     .add({.name = "features.npy", .text = "x"})
                                                     .finish());
  EXPECT_EQ(error_of([&] { load_dataset(path, {.use_cache = false}); }),
            path +
                "/features.npy: a .npy file inside a zip archive is not supported; unpack the "
                "archive");
}

}  // namespace
}  // namespace scrl
