#include "data/planetoid.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "scrl/dataset.h"
#include "support/errors.h"
#include "support/pickles.h"
#include "support/temp_folder.h"

namespace scrl {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// allx and tx are [[0, 2, 0], [1.5, 0, 0]]; labels come from arrays of 2 rows; the test block is
// nodes 4 and 2, so node 3 is a gap as in Citeseer.
class PlanetoidTest : public testing::Test {
 protected:
  void SetUp() override {
    write("allx", unhex(kCsr2));
    write("tx", unhex(kCsr4));
    write("x", unhex(kCsr2));
    for (const char* part : {"ally", "ty", "y"}) write(part, two_labels());
    write("graph", unhex(kGraph2));
    write("test.index", "4\n2\n");
  }
  void write(const std::string& part, const std::string& bytes) {
    folder_.write("ind.toy." + part, bytes);
  }
  // kArray4 with its first two rows only: [[1, 0], [0, 1]].
  static std::string two_labels() {
    std::string array = unhex(kArray4);
    array = replaced(array, "K\3K\2\x86", "K\2K\2\x86");
    const std::size_t data = array.rfind(std::string("C\x18", 2));
    return array.replace(data, 26, std::string("C\x10", 2) + array.substr(data + 2, 16));
  }
  Dataset read() { return read_planetoid(*open_source(folder_.path())); }
  std::string refusal() {
    return error_of([&] { validate(read()); });
  }
  TempFolder folder_;
};

TEST_F(PlanetoidTest, AssemblesTheParts) {
  EXPECT_TRUE(is_planetoid(*open_source(folder_.path())));
  const Dataset data = read();
  validate(data);
  EXPECT_EQ(data.name, "toy");
  EXPECT_EQ(data.nodes, 5);
  EXPECT_THAT(data.features.row_ptr, ElementsAre(0, 1, 2, 3, 3, 4));
  EXPECT_THAT(data.features.col, ElementsAre(1, 0, 0, 1));  // node 2 is row 1 of tx, node 4 row 0
  EXPECT_THAT(data.features.val, ElementsAre(2, 1.5f, 1.5f, 2));
  EXPECT_THAT(data.labels, ElementsAre(0, 1, 1, kUnlabelled, 0));
  EXPECT_THAT(data.edges.source, ElementsAre(0, 0, 2));
  EXPECT_THAT(data.edges.target, ElementsAre(1, 2, 0));
  ASSERT_EQ(data.splits.size(), 1u);
  EXPECT_EQ(data.splits[0].labels_per_class, 1);  // nodes 0 and 1 are of two classes
  EXPECT_THAT(data.splits[0].train, ElementsAre(0, 1));
  EXPECT_THAT(data.splits[0].val, IsEmpty());
  EXPECT_THAT(data.splits[0].test, ElementsAre(4, 2));
}

TEST_F(PlanetoidTest, SplitFilesBesideThePicklesWin) {
  folder_.write("train1.txt", "1\n0\n");
  folder_.write("test1.txt", "2\n");
  const Dataset data = read();
  ASSERT_EQ(data.splits.size(), 1u);
  EXPECT_EQ(data.splits[0].labels_per_class, 1);
  EXPECT_THAT(data.splits[0].train, ElementsAre(1, 0));
  EXPECT_THAT(data.splits[0].test, ElementsAre(2));
}

TEST_F(PlanetoidTest, PartsThatDoNotFitAreNamed) {
  write("test.index", "4\n2\n3\n");
  EXPECT_THAT(refusal(), "ind.toy.test.index: expected 2 rows like tx, found 3");
  write("test.index", "4\nfour\n");
  EXPECT_THAT(refusal(), HasSubstr("ind.toy.test.index:2: expected a node number, found 'four'"));
  write("test.index", "4\n4\n");
  EXPECT_THAT(refusal(), HasSubstr("node 4 comes twice"));
  write("test.index", "4\n1\n");
  EXPECT_THAT(refusal(), HasSubstr("node 1 is also a row of allx"));
  write("test.index", "4\n2000000000\n");
  EXPECT_THAT(refusal(), HasSubstr("expected a block with few gaps"));
  write("test.index", "3\n2\n");
  write("ally", unhex(kArray2));
  EXPECT_THAT(refusal(), "ind.toy.ally: expected 2 rows like allx, found 3");
  write("ally", two_labels());
  write("graph", "(dp0\nI9\n(lp1\ns.");
  EXPECT_THAT(refusal(), HasSubstr("ind.toy.graph: node 9 out of range, expected 0..3"));
  write("graph", "cos\nsystem\n(S'true'\ntR.");
  EXPECT_THAT(refusal(), HasSubstr("ind.toy.graph: byte 0: refused 'os system'"));
  std::filesystem::remove(folder_.path() + "/ind.toy.tx");
  EXPECT_THAT(refusal(), HasSubstr("expected the file ind.toy.tx"));
}

// Sizes that are only claimed must not cost memory.
TEST_F(PlanetoidTest, SizesOutOfProportionAreRefused) {
  const std::string huge = "4a00943577";  // 2 000 000 000
  write("allx", unhex(replaced(kCsr2, "4b024b0386", "4b02" + huge + "86")));
  EXPECT_THAT(refusal(), HasSubstr("ind.toy.allx: expected at most 1000128 columns for 2 values, "
                                   "found 2000000000"));
  write("allx", unhex(kCsr2));
  std::string no_rows = replaced(kArray2, "4b034b0286", "4b00" + huge + "86");
  const std::size_t data = no_rows.find("5818000000");
  write("ally", unhex(no_rows.replace(data, 10 + 48, "5800000000")));
  EXPECT_THAT(refusal(), HasSubstr("ind.toy.ally: expected at most 1000000 classes for 0 values, "
                                   "found 2000000000"));
}

TEST_F(PlanetoidTest, NoNodesAtAll) {
  std::string empty = replaced(kCsr2, "4b024b0386", "4b004b0386");
  empty = replaced(empty, "4b014b0385", "4b014b0185");
  empty = replaced(empty, "580c000000000000000100000002000000", "580400000000000000");
  empty = replaced(empty, "4b014b0285", "4b014b0085");
  empty = replaced(empty, "58080000000100000000000000", "5800000000");
  empty = replaced(empty, "5809000000000000400000c3803f", "5800000000");
  write("allx", unhex(empty));
  write("tx", unhex(empty));
  write("test.index", "");
  EXPECT_EQ(refusal(), "ind.toy.allx: expected rows, found none");
}

TEST_F(PlanetoidTest, OtherFoldersAreNotPlanetoid) {
  TempFolder other;
  other.write("edges.csv", "0,1\n");
  other.write("ind.x.test.index", "1\n");
  EXPECT_FALSE(is_planetoid(*open_source(other.path())));
}

// PubMed's published train set at 20 labels per class is Planetoid's own: the first 60 nodes.
TEST(PlanetoidPubmedTest, MatchesThePublishedSplits) {
  const char* root = std::getenv("SCRL_DATA");
  if (!root) GTEST_SKIP() << "SCRL_DATA is not set: no data sets to check";
  const Dataset data = load_dataset("pubmed", {.use_cache = false});
  EXPECT_EQ(data.nodes, 19717);
  EXPECT_EQ(data.edges.size(), 88676);
  EXPECT_EQ(data.features.nnz(), 988031);
  ASSERT_EQ(data.splits.size(), 3u);
  std::vector<NodeId> train = data.splits[0].train;
  std::sort(train.begin(), train.end());
  ASSERT_EQ(train.size(), 60u);
  for (NodeId i = 0; i < 60; ++i) EXPECT_EQ(train[i], i);
  EXPECT_EQ(data.splits[2].train.size(), 180u);
  for (const auto& label : data.labels) EXPECT_NE(label, kUnlabelled);
}

}  // namespace
}  // namespace scrl
