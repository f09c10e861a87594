// Known facts about the public data sets, measured independently of this program (but for the
// homophily of PubMed, which only guards against change).
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "graph/adjacency.h"
#include "graph/stats.h"
#include "scrl/dataset.h"

namespace scrl {
namespace {

struct Fact {
  std::string name;
  Index nodes, features, feature_entries, rows, distinct, loops, isolated, max_degree, degrees,
      classes;
  double homophily;
  friend void PrintTo(const Fact& fact, std::ostream* out) { *out << fact.name; }
};

class FactsTest : public testing::TestWithParam<Fact> {};

TEST_P(FactsTest, Hold) {
  if (!std::getenv("SCRL_DATA")) GTEST_SKIP() << "SCRL_DATA is not set: no data sets to check";
  const Fact& fact = GetParam();
  const Dataset data = load_dataset(fact.name, {.use_cache = false});
  EXPECT_EQ(data.nodes, fact.nodes);
  EXPECT_EQ(data.features.cols, fact.features);
  EXPECT_EQ(data.features.nnz(), fact.feature_entries);
  EXPECT_EQ(data.num_classes(), fact.classes);
  ASSERT_EQ(data.splits.size(), 3u);
  for (const Split& split : data.splits) EXPECT_EQ(split.test.size(), 1000u);

  const EdgeStats rows = edge_stats(data.nodes, data.edges);
  EXPECT_EQ(rows.rows, fact.rows);
  EXPECT_EQ(rows.distinct, fact.distinct);
  EXPECT_EQ(rows.loops, fact.loops);
  EXPECT_EQ(rows.one_directional, 0);
  const GraphStats graph = graph_stats(adjacency(data.nodes, data.edges, Dup::kSum), data.labels);
  EXPECT_EQ(graph.loops, fact.loops);
  EXPECT_EQ(2 * graph.edges + graph.loops, fact.distinct);
  EXPECT_EQ(graph.isolated, fact.isolated);
  EXPECT_EQ(graph.max_degree, fact.max_degree);
  EXPECT_EQ(graph.distinct_degrees, fact.degrees);
  EXPECT_NEAR(graph.homophily, fact.homophily, 0.0006);
}

INSTANTIATE_TEST_SUITE_P(
    DataSets, FactsTest,
    testing::Values(
        Fact{"acm", 3025, 1870, 253300, 26256, 26256, 0, 561, 90, 70, 3, .821},
        // Over rows instead of edges, 112 of which repeat an earlier one, Citeseer has .737.
        Fact{"citeseer", 3327, 3703, 105165, 9464, 9228, 124, 48, 99, 32, 6, .7355},
        Fact{"uai", 3067, 4973, 2100874, 56622, 56622, 6, 6, 951, 146, 19, .364},
        Fact{"BlogCatalog", 5196, 8189, 369435, 343486, 343486, 0, 0, 769, 285, 6, .401},
        Fact{"flickr", 7575, 12047, 182517, 479476, 479476, 0, 0, 1881, 493, 9, .239},
        Fact{"pubmed", 19717, 500, 988031, 88676, 88651, 3, 0, 171, 82, 3, .802}),
    [](const auto& one) { return one.param.name; });

// The published degrees of Citeseer after summing: repeated edges weigh 2, loops 2 and 3 with I.
TEST(FactsOfCiteseerTest, RepeatedRowsAreSummed) {
  if (!std::getenv("SCRL_DATA")) GTEST_SKIP() << "SCRL_DATA is not set: no data sets to check";
  const Dataset data = load_dataset("citeseer", {.use_cache = false});
  const Csr A = adjacency(data.nodes, data.edges, Dup::kSum);
  Index twice = 0, agree = 0, rows = 0;
  for (Index i = 0; i < A.rows; ++i) {
    for (Index e = A.row_ptr[i]; e < A.row_ptr[i + 1]; ++e) {
      if (A.col[e] == i) {
        EXPECT_EQ(A.val[e], 2.0f);
        continue;
      }
      twice += A.val[e] == 2.0f;
      rows += static_cast<Index>(A.val[e]);
      agree += data.labels[i] == data.labels[A.col[e]] ? static_cast<Index>(A.val[e]) : 0;
    }
  }
  EXPECT_EQ(twice, 112);
  EXPECT_NEAR(static_cast<double>(agree) / static_cast<double>(rows), 0.737, 0.0006);
}

}  // namespace
}  // namespace scrl
