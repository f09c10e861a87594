#include "data/parts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/block_tree.h"
#include "data/demo.h"
#include "data/knn_file.h"
#include "io/container.h"
#include "io/paths.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace scrl {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

// Everything that a data set can have, in more than one block.
Dataset sample() {
  Dataset data = make_demo(":nodes=300");
  data.name = "sample";
  data.edges.weight.assign(data.edges.source.size(), 1.0f);
  for (std::size_t e = 0; e < data.edges.weight.size(); ++e)
    data.edges.weight[e] = 0.25f * static_cast<float>(e % 7 + 1);
  std::reverse(data.edges.source.begin(), data.edges.source.end());  // an order of its own
  data.knn_files[3] = {.source = {0, 299, 64}, .target = {1, 0, 65}};
  data.knn_files[kOwnGraph] = {.source = {9, 64}, .target = {80, 3}, .weight = {0.5f, 2.0f}};
  data.knn_files[7] = {.source = {5}, .target = {200}};
  return data;
}

class PartsTest : public testing::Test {
 protected:
  std::string parts() const { return folder_.path() + "/x.parts"; }
  std::string file(const std::string& name) const { return cat(parts(), "/", name); }

  BlockRowsForTest blocks_{64};
  TempFolder folder_;
};

TEST_F(PartsTest, TheWholeIsWhatItWas) {
  const Dataset data = sample();
  const PartsManifest written = write_parts(data, parts());
  EXPECT_EQ(written.blocks(), 5);
  EXPECT_TRUE(is_parts(parts()));
  const Dataset got = read_parts(parts());
  EXPECT_EQ(fingerprint(got), fingerprint(data));
  EXPECT_EQ(got.name, "sample");
  EXPECT_EQ(got.edges.source, data.edges.source);
  EXPECT_EQ(got.edges.weight, data.edges.weight);
  const Dataset loaded = load_dataset(parts());
  EXPECT_EQ(fingerprint(loaded), fingerprint(data));
  EXPECT_EQ(loaded.name, "sample");
  EXPECT_EQ(loaded.source, parts());
}

TEST_F(PartsTest, WithoutIdsAndWeights) {
  Dataset data = make_demo(":nodes=129");
  data.ids.clear();
  data.edges.weight.clear();
  write_parts(data, parts());
  EXPECT_EQ(fingerprint(read_parts(parts())), fingerprint(data));
}

// A block has every edge of its nodes, and its file alone tells all of it.
TEST_F(PartsTest, ABlockHasWhatTouchesItsNodes) {
  const Dataset data = sample();
  for (Index b = 0; b < 5; ++b) {
    const PartsManifest m = write_parts(data, parts());
    const std::string own = cat("block-0000", b, ".scrl");
    for (const std::string& name : names_in(parts()))
      if (name != own) fs::remove(file(name));
    const DataBlock block = read_block(m, b);
    const Index first = 64 * b, rows = std::min<Index>(64, 300 - first);
    EXPECT_EQ(block.first_row, first);
    ASSERT_EQ(block.features.rows, rows);
    for (Index i = 0; i < rows; ++i) {
      EXPECT_THAT(block.features.row_cols(i),
                  testing::ElementsAreArray(data.features.row_cols(first + i)));
      EXPECT_EQ(block.labels[i], data.labels[first + i]);
      EXPECT_EQ(block.ids[i], data.ids[first + i]);
    }
    std::vector<Index> touching;
    const auto inside = [&](NodeId v) { return v >= first && v < first + rows; };
    for (Index e = 0; e < data.edges.size(); ++e)
      if (inside(data.edges.source[e]) || inside(data.edges.target[e])) touching.push_back(e);
    EXPECT_EQ(block.edges.number, touching);
    for (std::size_t e = 0; e < touching.size(); ++e) {
      EXPECT_EQ(block.edges.edges.source[e], data.edges.source[touching[e]]);
      EXPECT_EQ(block.edges.edges.weight[e], data.edges.weight[touching[e]]);
    }
  }
}

TEST_F(PartsTest, AnEarlierPartitionIsReplacedOtherFilesAreNot) {
  write_parts(sample(), parts());
  write_parts(make_demo(":nodes=70"), parts());
  EXPECT_EQ(read_parts(parts()).nodes, 70);
  EXPECT_FALSE(fs::exists(file("block-00002.scrl")));
  std::ofstream(file("notes.txt")) << "mine";
  EXPECT_THAT(usage_error_of([&] { write_parts(sample(), parts()); }),
              HasSubstr("holds notes.txt"));
  EXPECT_EQ(read_parts(parts()).nodes, 70) << "nothing was touched";
  const std::string taken = folder_.write("file", "x");
  EXPECT_THAT(usage_error_of([&] { write_parts(sample(), taken); }), HasSubstr("found a file"));
}

// ---- files that somebody else has written or damaged

// Writes the container again with `section` replaced.
void replace_section(const std::string& path, const char* kind, const std::string& section,
                     const std::function<void(ContainerWriter&)>& put,
                     const std::vector<std::string>& sections) {
  std::string bytes;
  {
    const ContainerReader in(path, kind, 1);
    ContainerWriter out(kind, 1);
    for (const std::string& name : sections) {
      if (name == section) {
        put(out);
      } else if (in.has(name)) {
        out.add(name, in.bytes(name));
      }
    }
    bytes = out.finish();
  }
  std::ofstream(path, std::ios::binary) << bytes;
}

const std::vector<std::string> kManifestSections = {
    "name",       "fingerprint", "sizes",       "classes", "classes.ends",    "split0.train",
    "split0.val", "split0.test", "split.rates", "knn",     "feature_entries", "edge_entries"};
const std::vector<std::string> kBlockSections = {
    "fingerprint",      "block",           "ids",         "ids.ends",     "features.rows",
    "features.columns", "features.values", "labels",      "edges.number", "edges.source",
    "edges.target",     "edges.weight",    "knn0.number", "knn0.source",  "knn0.target",
    "knn0.weight",      "knn3.number",     "knn3.source", "knn3.target",  "knn3.weight",
    "knn7.number",      "knn7.source",     "knn7.target", "knn7.weight"};

TEST_F(PartsTest, ManifestsThatContradictThemselves) {
  const auto with = [&](const std::string& section, const auto& values) {
    write_parts(sample(), parts());
    replace_section(
        file("parts.scrl"), "parts", section,
        [&](ContainerWriter& out) { out.add_array(section, values); }, kManifestSections);
    return error_of([&] { read_parts(parts()); });
  };
  using Numbers = std::vector<Index>;
  EXPECT_THAT(with("sizes", Numbers{300}), HasSubstr("expected 6 sizes"));
  EXPECT_THAT(with("sizes", Numbers{0, 5, 5, 64, 1, 1}), HasSubstr("sizes out of range"));
  EXPECT_THAT(with("sizes", Numbers{300, 5, 5, 0, 1, 1}), HasSubstr("sizes out of range"));
  EXPECT_THAT(with("sizes", Numbers{Index{1} << 30, 5, 5, 64, 1, 1}),
              HasSubstr("expected one size of each block"));
  EXPECT_THAT(with("sizes", Numbers{330, 5, 5, 64, 1, 1}),
              HasSubstr("expected one size of each block"));
  EXPECT_THAT(with("sizes", Numbers{301, 64, 5, 64, 1, 1}), HasSubstr("block-0000"));
  EXPECT_THAT(with("knn", Numbers{3}), HasSubstr("expected pairs"));
  EXPECT_THAT(with("knn", Numbers{-1, 3}), HasSubstr("k=-1"));
  EXPECT_THAT(with("edge_entries", Numbers(5, 3)), HasSubstr("has other sizes"));
  EXPECT_THAT(with("classes.ends", Numbers{5, 2}), HasSubstr("bad offsets"));
  write_parts(sample(), parts());
  replace_section(
      file("parts.scrl"), "parts", "name",
      [](ContainerWriter& out) { out.add_text("name", "a\nb"); }, kManifestSections);
  EXPECT_THAT(error_of([&] { read_parts(parts()); }), HasSubstr("without control characters"));
}

TEST_F(PartsTest, BlocksThatDoNotFit) {
  const auto with = [&](const std::string& section, const auto& values) {
    write_parts(sample(), parts());
    replace_section(
        file("block-00001.scrl"), "block", section,
        [&](ContainerWriter& out) { out.add_array(section, values); }, kBlockSections);
    const std::string message = error_of([&] { read_parts(parts()); });
    EXPECT_THAT(message, HasSubstr("block-00001.scrl")) << section;
    return message;
  };
  const PartsManifest m = write_parts(sample(), parts());
  const DataBlock block = read_block(m, 1);
  const std::size_t edges = block.edges.number.size();
  EXPECT_THAT(with("block", std::vector<Index>{2, 64}), HasSubstr("expected block 1 with 64 rows"));
  EXPECT_THAT(with("labels", std::vector<std::int32_t>(63)), HasSubstr("63"));
  EXPECT_THAT(with("labels", std::vector<std::int32_t>(64, 99)), HasSubstr("label 99"));
  EXPECT_THAT(with("edges.source", std::vector<NodeId>(edges, -1)), HasSubstr("edge from -1"));
  EXPECT_THAT(with("edges.target", std::vector<NodeId>(edges, 300)), HasSubstr("to 300"));
  EXPECT_THAT(with("edges.source", std::vector<NodeId>{1}), HasSubstr("differ in number"));
  EXPECT_THAT(with("edges.number", std::vector<Index>(edges, 0)), HasSubstr("edge number 0"));
  EXPECT_THAT(with("features.columns", std::vector<NodeId>(block.features.col.size(), 1 << 30)),
              HasSubstr("features"));
  EXPECT_THAT(with("features.rows", std::vector<Index>{0}), HasSubstr("features"));
}

TEST_F(PartsTest, MissingDamagedAndForeignFiles) {
  write_parts(sample(), parts());
  fs::remove(file("block-00003.scrl"));
  EXPECT_THAT(error_of([&] { read_parts(parts()); }), HasSubstr("block-00003.scrl"));
  write_parts(sample(), parts());
  fs::resize_file(file("block-00002.scrl"), 200);
  EXPECT_THAT(error_of([&] { read_parts(parts()); }), HasSubstr("block-00002.scrl"));
  write_parts(make_demo(":nodes=300"), parts());
  const std::string foreign = folder_.path() + "/block";
  fs::copy_file(file("block-00001.scrl"), foreign);
  write_parts(sample(), parts());
  fs::copy_file(foreign, file("block-00001.scrl"), fs::copy_options::overwrite_existing);
  EXPECT_THAT(error_of([&] { read_parts(parts()); }), HasSubstr("belongs to another data set"));
  std::ofstream(file("parts.scrl"), std::ios::binary) << "no container";
  EXPECT_THAT(error_of([&] { load_dataset(parts()); }), HasSubstr("parts.scrl"));
}

}  // namespace
}  // namespace scrl
