#include "train/operand_cache.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "data/demo.h"

namespace scrl {
namespace {

constexpr unsigned kAll = kTopology | kFeatureGraph | kEdges;
constexpr Index kPlenty = 1'000'000'000;

void expect_equal(const Csr& a, const Csr& b) {
  EXPECT_EQ(a.rows, b.rows);
  EXPECT_EQ(a.cols, b.cols);
  EXPECT_TRUE(std::equal(a.row_ptr.begin(), a.row_ptr.end(), b.row_ptr.begin(), b.row_ptr.end()));
  EXPECT_TRUE(std::equal(a.col.begin(), a.col.end(), b.col.begin(), b.col.end()));
  EXPECT_TRUE(std::equal(a.val.begin(), a.val.end(), b.val.begin(), b.val.end()));
}

void expect_equal(const SparseOperand& a, const SparseOperand& b) {
  expect_equal(a.A, b.A);
  expect_equal(a.At, b.At);
}

TEST(OperandCacheTest, GivesWhatPrepareGives) {
  const Dataset data = load_dataset("demo:nodes=300");
  OperandCache cache(data, 20, kPlenty);
  for (const int k : {5, 20, 1, 9})
    for (const FeatureGraph knn :
         {FeatureGraph::kUnion, FeatureGraph::kMutual, FeatureGraph::kRule})
      for (const FeatureNorm norm : {FeatureNorm::kNone, FeatureNorm::kL2})
        for (const double self : {0.0, 0.5}) {
          const GraphOptions o{.k = k,
                               .knn = knn,
                               .adjacency = k == 9 ? Norm::kSym : Norm::kRw,
                               .lazy = self,
                               .feature_norm = norm};
          const Operands fresh = prepare(data, o, kAll);
          const auto cached = cache.get(o, kAll);
          expect_equal(cached->X, fresh.X);
          expect_equal(*cached->A_t, *fresh.A_t);
          expect_equal(*cached->A_f, *fresh.A_f);
          expect_equal(*cached->edges, *fresh.edges);
        }
  EXPECT_EQ(cache.searches(), 1);  // for every k up to 20
  const auto beyond = cache.get({.k = 30}, kFeatureGraph);
  EXPECT_EQ(cache.searches(), 2);
  expect_equal(*beyond->A_f, *prepare(data, {.k = 30}, kFeatureGraph).A_f);
  EXPECT_EQ(beyond->A_t, nullptr);
  EXPECT_EQ(beyond->edges, nullptr);
}

TEST(OperandCacheTest, ApproximateSearchIsRepeatedForEveryK) {
  const Dataset data = load_dataset("demo:nodes=300");
  OperandCache cache(data, 20, kPlenty);
  for (const int k : {9, 5, 9}) {
    const GraphOptions o{.k = k, .knn_search = KnnSearch::kApproximate};
    expect_equal(*cache.get(o, kFeatureGraph)->A_f, *prepare(data, o, kFeatureGraph).A_f);
  }
  EXPECT_EQ(cache.searches(), 2);
}

TEST(OperandCacheTest, NeighboursByLsaAreOthers) {
  const Dataset data = load_dataset("demo:nodes=300");
  OperandCache cache(data, 9, kPlenty);
  for (const int rank : {0, 8, 0}) {
    const GraphOptions o{.k = 5, .lsa_rank = rank};
    expect_equal(*cache.get(o, kFeatureGraph)->A_f, *prepare(data, o, kFeatureGraph).A_f);
  }
  EXPECT_EQ(cache.searches(), 2);
}

// A value other than the default for every option there is: none may be missing in a key. A new
// option without a line here fails the test.
TEST(OperandCacheTest, NoOptionIsMissingInAKey) {
  Dataset data = load_dataset("demo:nodes=300");
  data.edges.source.push_back(data.edges.source[0]);  // for dup
  data.edges.target.push_back(data.edges.target[0]);
  for (std::size_t e = 0; e < data.features.val.size(); e += 3) data.features.val[e] = 3;
  data.knn_files[9] = {{0, 1}, {1, 2}, {}};
  const std::map<std::string, std::string> others = {{"k", "4"},
                                                     {"knn", "file"},
                                                     {"knn_search", "approximate"},
                                                     {"lsa_rank", "8"},
                                                     {"adjacency", "sym"},
                                                     {"precision", "bf16"},
                                                     {"lazy", "0.25"},
                                                     {"dup", "binary"},
                                                     {"binarize", "true"},
                                                     {"feature_norm", "l2"}};
  GraphOptions names;
  OptionSet options;
  bind(options, names);
  OperandCache cache(data, 9, kPlenty);
  cache.get({}, kAll);
  for (const OptionSet::Entry& entry : options.entries()) {
    ASSERT_TRUE(others.contains(entry.key)) << entry.key;
    GraphOptions o;
    OptionSet set;
    bind(set, o);
    set.set(entry.key, others.at(entry.key), "test");
    const Operands fresh = prepare(data, o, kAll);
    const auto cached = cache.get(o, kAll);
    expect_equal(cached->X, fresh.X);
    expect_equal(*cached->A_t, *fresh.A_t);
    expect_equal(*cached->A_f, *fresh.A_f);
    EXPECT_EQ(cached->X.gathers, o.precision) << entry.key;
    const bool same = std::ranges::equal(cached->X.A.val, cache.get({}, kAll)->X.A.val) &&
                      std::ranges::equal(cached->A_t->A.val, cache.get({}, kAll)->A_t->A.val) &&
                      std::ranges::equal(cached->A_f->A.val, cache.get({}, kAll)->A_f->A.val);
    // The approximate search finds the same neighbours among so few; bf16 is a matter of products.
    EXPECT_EQ(same, entry.key == "knn_search" || entry.key == "precision") << entry.key;
  }
}

TEST(OperandCacheTest, SharesAndForgets) {
  const Dataset data = load_dataset("demo:nodes=300");
  OperandCache plenty(data, 9, kPlenty);
  const auto first = plenty.get({}, kAll);
  EXPECT_EQ(plenty.get({}, kAll), first);
  EXPECT_NE(plenty.get({.dup = Dup::kBinary}, kAll), first);
  // What a view does not see makes no difference.
  EXPECT_EQ(plenty.get({.k = 3}, kTopology), plenty.get({.k = 4}, kTopology));
  EXPECT_EQ(plenty.kept(), 3u + 1);  // and a list of neighbours
  plenty.clear();
  EXPECT_NE(plenty.get({}, kAll), first);
  EXPECT_EQ(plenty.searches(), 2);

  OperandCache none(data, 9, 0);
  const auto in_use = none.get({}, kAll);  // lives as long as somebody has it
  EXPECT_EQ(none.kept(), 1u);              // neighbours alone
  expect_equal(in_use->X, first->X);
  none.get({.k = 5}, kAll);
  EXPECT_EQ(none.searches(), 1);  // neighbours stay
}

}  // namespace
}  // namespace scrl
