// Facts about the five published AM-GCN data sets, counted with other tools. They need the
// archives: SCRL_DATA names the folder that holds acm.zip, BlogCatalog.zip, citeseer.zip,
// flickr.zip, uai.zip.
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "scrl/dataset.h"

namespace scrl {
namespace {

struct Facts {
  const char* name;
  Index nodes, features, nonzeros, edge_rows, loop_rows, empty_rows, classes, knn5_lines;
  Index train20, train40, train60;
};

// Citeseer writes each of its 124 loops twice; the others write loops once.
constexpr Facts kFacts[] = {
    {"acm", 3025, 1870, 253300, 26256, 0, 0, 3, 7282, 60, 120, 180},
    {"citeseer", 3327, 3703, 105165, 9464, 248, 15, 6, 8326, 120, 240, 360},
    {"uai", 3067, 4973, 2100874, 56622, 6, 0, 19, 8441, 380, 760, 1140},
    {"blogcatalog", 5196, 8189, 369435, 343486, 0, 0, 6, 13275, 120, 240, 360},
    {"flickr", 7575, 12047, 182517, 479476, 0, 11, 9, 18571, 180, 360, 540},
};

bool have_data() {
  const char* root = std::getenv("SCRL_DATA");
  return root != nullptr && *root != '\0';
}

// Each archive is read once for all tests.
const Dataset& data_set(const std::string& name) {
  static std::map<std::string, Dataset> loaded;
  const auto at = loaded.find(name);
  if (at != loaded.end()) return at->second;
  return loaded[name] = load_dataset(name, {.use_cache = false});
}

Index loops(const Edges& edges) {
  Index n = 0;
  for (Index e = 0; e < edges.size(); ++e) n += edges.source[e] == edges.target[e];
  return n;
}

std::vector<NodeId> sorted(std::vector<NodeId> nodes) {
  std::sort(nodes.begin(), nodes.end());
  return nodes;
}

std::vector<Index> per_class(const Dataset& d, const std::vector<NodeId>& nodes) {
  std::vector<Index> count(static_cast<std::size_t>(d.num_classes()));
  for (const NodeId node : nodes) ++count[static_cast<std::size_t>(d.labels[node])];
  return count;
}

class RealDataTest : public testing::TestWithParam<Facts> {
 protected:
  void SetUp() override {
    if (!have_data()) GTEST_SKIP() << "SCRL_DATA is not set: the published data sets are not here";
  }
  const Dataset& data() const { return data_set(GetParam().name); }
};

TEST_P(RealDataTest, Sizes) {
  const Facts& f = GetParam();
  const Dataset& d = data();
  EXPECT_EQ(d.name, f.name);
  EXPECT_EQ(d.nodes, f.nodes);
  EXPECT_EQ(d.features.cols, f.features);
  EXPECT_EQ(d.features.nnz(), f.nonzeros);
  EXPECT_EQ(d.edges.size(), f.edge_rows);
  EXPECT_EQ(loops(d.edges), f.loop_rows);
  EXPECT_EQ(d.num_classes(), f.classes);
  EXPECT_EQ(d.classes.back(), std::to_string(f.classes - 1));
  EXPECT_TRUE(d.ids.empty());
  EXPECT_TRUE(d.edges.weight.empty());
  EXPECT_EQ(std::count(d.labels.begin(), d.labels.end(), kUnlabelled), 0);
}

TEST_P(RealDataTest, FeaturesAreBinary) {
  const Dataset& d = data();
  EXPECT_TRUE(std::all_of(d.features.val.begin(), d.features.val.end(),
                          [](float value) { return value == 1; }));
  Index empty = 0;
  for (Index i = 0; i < d.nodes; ++i) empty += d.features.row_nnz(i) == 0;
  EXPECT_EQ(empty, GetParam().empty_rows);
}

TEST_P(RealDataTest, FeatureGraphsListEachPairFromItsLowerEnd) {
  const Dataset& d = data();
  ASSERT_EQ(d.knn_files.size(), 8u);
  EXPECT_EQ(d.knn_files.begin()->first, 2);
  EXPECT_EQ(d.knn_files.rbegin()->first, 9);
  EXPECT_EQ(d.knn_files.at(5).size(), GetParam().knn5_lines);
  for (const auto& [k, edges] : d.knn_files) {
    for (Index e = 0; e < edges.size(); ++e) {
      ASSERT_LT(edges.source[e], edges.target[e]) << "k = " << k << ", edge " << e;
    }
  }
}

TEST_P(RealDataTest, SplitsAreNestedAndShareTheirTestSet) {
  const Dataset& d = data();
  ASSERT_EQ(d.splits.size(), 3u);
  const Index sizes[] = {GetParam().train20, GetParam().train40, GetParam().train60};
  for (std::size_t i = 0; i < 3; ++i) {
    const Split& split = d.splits[i];
    EXPECT_EQ(split.labels_per_class, 20 * static_cast<int>(i + 1));
    EXPECT_EQ(static_cast<Index>(split.train.size()), sizes[i]);
    EXPECT_TRUE(split.val.empty());
    EXPECT_EQ(split.test.size(), 1000u);
    EXPECT_EQ(split.test, d.splits[0].test);
    if (i == 0) continue;
    const auto larger = sorted(split.train), smaller = sorted(d.splits[i - 1].train);
    EXPECT_TRUE(std::includes(larger.begin(), larger.end(), smaller.begin(), smaller.end()));
  }
}

TEST_P(RealDataTest, SplitsAreStratifiedExceptForUai) {
  const Dataset& d = data();
  if (d.name == "uai") return;
  for (const Split& split : d.splits) {
    EXPECT_EQ(
        per_class(d, split.train),
        std::vector<Index>(static_cast<std::size_t>(d.num_classes()), split.labels_per_class));
  }
}

INSTANTIATE_TEST_SUITE_P(AmGcn, RealDataTest, testing::ValuesIn(kFacts),
                         [](const auto& test) { return std::string(test.param.name); });

class RealDataFactsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!have_data()) GTEST_SKIP() << "SCRL_DATA is not set: the published data sets are not here";
  }
};

TEST_F(RealDataFactsTest, UaiHasAClassWithoutTrainingNodes) {
  const Dataset& d = data_set("uai");
  EXPECT_EQ(
      per_class(d, d.splits[0].train),
      (std::vector<Index>{28, 55, 22, 12, 0, 45, 24, 13, 44, 2, 36, 9, 25, 2, 3, 7, 12, 24, 17}));
  EXPECT_EQ(per_class(d, d.splits[0].test)[4], 9);
}

TEST_F(RealDataFactsTest, CiteseerTrainsOnTheFirstNodesOfEachClass) {
  const Dataset& d = data_set("citeseer");
  std::vector<NodeId> first120(120);
  for (NodeId i = 0; i < 120; ++i) first120[static_cast<std::size_t>(i)] = i;
  EXPECT_EQ(sorted(d.splits[0].train), first120);
  for (const std::size_t s : {1u, 2u}) {
    std::vector<Index> taken(6);
    std::vector<NodeId> expected;
    for (NodeId i = 0; i < d.nodes; ++i) {
      if (taken[static_cast<std::size_t>(d.labels[i])]++ < d.splits[s].labels_per_class) {
        expected.push_back(i);
      }
    }
    EXPECT_EQ(sorted(d.splits[s].train), expected);
  }
}

TEST_F(RealDataFactsTest, CiteseerRowsWithoutFeaturesAreInNoSplitAndLabelledZero) {
  const Dataset& d = data_set("citeseer");
  std::set<NodeId> used(d.splits[2].train.begin(), d.splits[2].train.end());
  used.insert(d.splits[2].test.begin(), d.splits[2].test.end());
  for (NodeId i = 0; i < d.nodes; ++i) {
    if (d.features.row_nnz(i) > 0) continue;
    EXPECT_EQ(d.labels[i], 0);
    EXPECT_FALSE(used.contains(i));
  }
}

TEST_F(RealDataFactsTest, AcmNodesAreSortedByClassAtBothEnds) {
  const Dataset& d = data_set("acm");
  for (Index i = 0; i < d.nodes / 5; ++i) {
    ASSERT_EQ(d.labels[i], 0);
    ASSERT_EQ(d.labels[d.nodes - 1 - i], 2);
  }
}

// 182 MB of text; memory must follow the 182 517 numbers that are not zero.
TEST_F(RealDataFactsTest, FlickrIsReadWithoutKeepingItsText) {
#ifdef __SANITIZE_ADDRESS__
  GTEST_SKIP() << "the address sanitizer holds back freed memory, so its use says nothing";
#endif
  data_set("flickr");
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  EXPECT_LT(usage.ru_maxrss, 400 * 1024);  // KB
}

}  // namespace
}  // namespace scrl
