// Every layout gives back what it holds, to the bit, and says before writing what it does not hold.
#include "convert/convert.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "base/error.h"
#include "base/rng.h"
#include "convert/write_layout.h"
#include "support/errors.h"
#include "support/temp_folder.h"

namespace scrl {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr LoadOptions kNoCache = {.use_cache = false};
constexpr DataLayout kAll[] = {DataLayout::kFolder, DataLayout::kAmgcn, DataLayout::kNpz,
                               DataLayout::kPlanetoid, DataLayout::kGraphml};

// Everything that a layout may stumble over: names that look like headers, comments, markup and
// numbers; a class without nodes, classes out of order; unlabelled and isolated nodes; an empty row
// and an empty last column; repeated edges, loops, weights; values of every magnitude; two splits.
Dataset awkward() {
  Dataset d{.name = "awkward", .source = "awkward"};
  d.ids = {"source", "id",   "#3",    "a, b", " edge ", "\"q\"", "<&>'", "\xc3\xa4",
           "7",      "0007", "train", "%x",   "a b",    "a;b",   "nan",  "]]>"};
  d.nodes = std::ssize(d.ids);
  d.classes = {"zebra", "label", "never used", "<b> & \"c\"", " blank "};
  d.labels = {0, 1, 3, 4, 0, 1, 3, 4, 0, 1, 3, 4, -1, -1, 0, 1};
  d.edges.source = {5, 0, 0, 3, 3, 15, 1};
  d.edges.target = {0, 1, 1, 3, 2, 14, 0};
  d.edges.weight = {0.1f, 1, 1, 3e38f * 0.01f, 1e-30f, 2, 1.0f / 3};
  d.features.rows = d.nodes;
  d.features.cols = 6;
  const float values[] = {1, -0.1f, 3.4e38f, 1e-44f, 1.0f / 3, 16777217.0f};
  for (Index i = 0; i < d.nodes; ++i) {
    for (NodeId j = 0; j < 5; ++j)
      if ((i + j) % 3 == 0 && i != 4) {
        d.features.col.push_back(j);
        d.features.val.push_back(values[(i + j) % 6] * (i % 2 ? 1 : 0.5f));
      }
    d.features.row_ptr.push_back(d.features.nnz());
  }
  d.splits = {{1, {14, 9, 2, 3}, {0}, {8, 1}}, {2, {0, 1, 2, 3, 4, 5, 6, 7}, {}, {}}};
  d.knn_files[0] = {{0, 1, 9}, {1, 2, 3}, {}};
  d.knn_files[5] = {{0, 1}, {1, 2}, {}};
  return d;
}

// Numbers for names, no weights: what all five hold.
Dataset plain() {
  Dataset d = awkward();
  d.ids.clear();
  d.edges.weight.clear();
  d.knn_files.clear();
  for (std::int32_t& c : d.labels) c = c < 0 ? c : c % 3;
  d.labels[15] = 2;
  d.classes = {"0", "1", "2"};
  return d;
}

std::string place(const TempFolder& folder, DataLayout layout) {
  const std::string name = folder.path() + "/out";
  return is_one_file(layout) ? cat(name, ".", name_of(layout)) : name;
}

void expect_same(const Dataset& a, const Dataset& b) {
  EXPECT_EQ(a.ids, b.ids);
  EXPECT_EQ(a.edges.source, b.edges.source);
  EXPECT_EQ(a.edges.target, b.edges.target);
  EXPECT_EQ(a.edges.weight, b.edges.weight);
  EXPECT_EQ(a.features.cols, b.features.cols);
  EXPECT_EQ(a.features.row_ptr, b.features.row_ptr);
  EXPECT_EQ(a.features.col, b.features.col);
  EXPECT_EQ(a.features.val, b.features.val);
  EXPECT_EQ(a.labels, b.labels);
  EXPECT_EQ(a.classes, b.classes);
  EXPECT_EQ(fingerprint(a), fingerprint(b));
}

class ConvertTest : public testing::TestWithParam<DataLayout> {};

TEST_P(ConvertTest, GivesBackWhatItHolds) {
  const TempFolder folder;
  const std::string out = place(folder, GetParam());
  const Fitted fit = fitted(awkward(), GetParam());
  const Converted done =
      convert({.data = awkward(), .layout = GetParam(), .out = out, .allow_loss = true});
  EXPECT_EQ(done.lost, fit.lost);
  expect_same(load_dataset(out, kNoCache), fit.data);
  EXPECT_EQ(done.fingerprint, fingerprint(fit.data));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1)
      << "something is left over";
}

TEST_P(ConvertTest, PlainDataKeepTheirFingerprint) {
  const TempFolder folder;
  const std::string out = place(folder, GetParam());
  Dataset d = plain();
  if (GetParam() == DataLayout::kPlanetoid)
    d.edges = fitted(d, GetParam()).data.edges;  // their order
  const Converted done = convert({.data = d, .layout = GetParam(), .out = out});
  EXPECT_THAT(done.lost, testing::IsEmpty());
  expect_same(load_dataset(out, kNoCache), d);
}

TEST_P(ConvertTest, RandomDataComeBack) {
  Rng rng(11, Purpose::kDemo, 0);
  for (int round = 0; round < 20; ++round) {
    Dataset d{.name = "random", .source = "random"};
    d.nodes = 2 + static_cast<Index>(rng.below(40));
    d.features.rows = d.nodes;
    d.features.cols = 1 + static_cast<Index>(rng.below(9));
    d.classes = {"0", "1", "2"};
    for (Index i = 0; i < d.nodes; ++i) {
      for (NodeId j = 0; j < d.features.cols; ++j)
        if (rng.below(3) == 0) {
          const float v = std::ldexp(static_cast<float>(rng.uniform()) - 0.5f,
                                     static_cast<int>(rng.below(200)) - 100);
          if (v == 0) continue;
          d.features.col.push_back(j);
          d.features.val.push_back(v);
        }
      d.features.row_ptr.push_back(d.features.nnz());
      d.labels.push_back(i < 3 ? static_cast<std::int32_t>(i % d.nodes)
                               : static_cast<std::int32_t>(rng.below(4)) - 1);
    }
    d.labels[0] = 2;
    for (Index e = 0; e < 1 + static_cast<Index>(rng.below(60)); ++e) {
      d.edges.source.push_back(static_cast<NodeId>(rng.below(d.nodes)));
      d.edges.target.push_back(static_cast<NodeId>(rng.below(d.nodes)));
    }
    std::ranges::sort(d.edges.source);
    d.splits = {{0, {0}, {}, {}}};
    const TempFolder folder;
    const std::string out = place(folder, GetParam());
    convert({.data = d, .layout = GetParam(), .out = out});
    expect_same(load_dataset(out, kNoCache), d);
  }
}

TEST_P(ConvertTest, NothingIsOverwrittenUnasked) {
  const TempFolder folder;
  const std::string out = place(folder, GetParam());
  const auto run = [&](bool force) {
    return usage_error_of(
        [&] { convert({.data = plain(), .layout = GetParam(), .out = out, .force = force}); });
  };
  EXPECT_EQ(run(false), "(nothing thrown)");
  EXPECT_THAT(run(false), HasSubstr("is there already; give --force to replace it"));
  EXPECT_EQ(run(true), "(nothing thrown)");
  if (!is_one_file(GetParam())) {
    std::ofstream(out + "/thesis.txt") << "mine";
    EXPECT_THAT(run(true), HasSubstr("thesis.txt: is there already and not part of a data set"));
    EXPECT_TRUE(fs::exists(out + "/thesis.txt"));
  }
  load_dataset(out, kNoCache);  // still whole
}

TEST_P(ConvertTest, AFailureLeavesNothing) {
  const TempFolder folder;
  Dataset d = plain();
  d.name = "x";
  d.features.val[0] = INFINITY;  // no reader takes it back
  const std::string out = place(folder, GetParam());
  EXPECT_NE(error_of([&] { convert({.data = d, .layout = GetParam(), .out = out}); }),
            "(nothing thrown)");
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

INSTANTIATE_TEST_SUITE_P(Layouts, ConvertTest, testing::ValuesIn(kAll),
                         [](const auto& test) { return std::string(name_of(test.param)); });

TEST(LossTest, IsNamedBeforeAnythingIsWritten) {
  const TempFolder folder;
  const auto message = [&](Dataset d, DataLayout layout) {
    return usage_error_of(
        [&] { convert({.data = std::move(d), .layout = layout, .out = place(folder, layout)}); });
  };
  EXPECT_EQ(message(awkward(), DataLayout::kAmgcn),
            "awkward: layout amgcn has no place for node ids: nodes become 0, 1, 2, ... (the first "
            "is 'source'); weights of edges; class names: classes become 0, 1, 2, ... (the first "
            "is 'zebra'); the feature graph of your own. Give --allow-loss to write it without, or "
            "--to npz, which holds "
            "everything");
  EXPECT_EQ(message(awkward(), DataLayout::kGraphml),
            "awkward: layout graphml has no place for the feature graph of your own; the "
            "published feature graphs (k = 5). Give "
            "--allow-loss to write it without, or --to npz, which holds everything");
  EXPECT_EQ(fitted(awkward(), DataLayout::kNpz).lost, std::vector<std::string>{});
  Dataset d = plain();
  d.splits.clear();
  EXPECT_THAT(message(d, DataLayout::kPlanetoid), HasSubstr("the data have no split"));
  d = plain();
  d.edges = {};
  EXPECT_THAT(message(d, DataLayout::kFolder), HasSubstr("it has no edges; use npz or graphml"));
  d = awkward();
  d.classes[0] = "NA";
  EXPECT_THAT(message(d, DataLayout::kFolder), HasSubstr("a class is called 'NA'"));
  EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(LossTest, TheNameOfAFileSaysItsLayout) {
  const TempFolder folder;
  EXPECT_THAT(usage_error_of([&] {
                convert({.data = plain(), .layout = DataLayout::kNpz, .out = folder.path() + "/x"});
              }),
              HasSubstr("expected a name that ends in .npz"));
  const std::string file = folder.write("file", "x");
  EXPECT_THAT(
      usage_error_of([&] {
        convert({.data = plain(), .layout = DataLayout::kFolder, .out = file, .force = true});
      }),
      HasSubstr("is a file; layout folder is a folder"));
}

TEST(PlanetoidOrderTest, ASplitInOrderNeedsNoFilesOfItsOwn) {
  Dataset d = plain();
  d.labels = {0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2, 0};
  d.splits = {{2, {0, 1, 2, 3, 4, 5}, {6, 7, 8, 9}, {15, 10, 12, 11, 14, 13}}};
  ASSERT_TRUE(has_planetoid_order(d));
  const TempFolder folder;
  const std::string out = folder.path() + "/out";
  const Converted done = convert({.data = d, .layout = DataLayout::kPlanetoid, .out = out});
  EXPECT_FALSE(fs::exists(out + "/train2.txt"));
  const Dataset again = load_dataset(out, kNoCache);
  EXPECT_EQ(again.splits.at(0).test, d.splits[0].test);
  d.splits[0].val.pop_back();
  EXPECT_FALSE(has_planetoid_order(d));
}

}  // namespace
}  // namespace scrl
