#include "train/prepare.h"

#include <gtest/gtest.h>

#include <cmath>

namespace scrl {
namespace {

// A ring of n nodes in which each is joined to the `reach` next ones, every edge given both ways.
Dataset ring(Index n, Index reach) {
  Dataset data;
  data.nodes = n;
  std::vector<NodeId> rows, cols;
  for (Index i = 0; i < n; ++i) {
    for (Index r = 1; r <= reach; ++r)
      for (const auto& [a, b] : {std::pair(i, (i + r) % n), std::pair((i + r) % n, i)}) {
        data.edges.source.push_back(static_cast<NodeId>(a));
        data.edges.target.push_back(static_cast<NodeId>(b));
      }
    for (Index k = 0; k < 32; ++k) {
      rows.push_back(static_cast<NodeId>(i));
      cols.push_back(static_cast<NodeId>((i + k) % 40));
    }
  }
  data.features = csr_from_triplets(n, 40, rows, cols, {}, Dup::kBinary);
  return data;
}

TEST(PrepareTest, StepsFollowTheDegree) {
  EXPECT_EQ(steps_for(ring(10, 1)), 2);     // ln 10 / ln 3 = 2.1 steps see them all
  EXPECT_EQ(steps_for(ring(1000, 1)), 6);   // degree 2: 28 / 3, at most 6
  EXPECT_EQ(steps_for(ring(1000, 4)), 3);   // degree 8: 28 / 9
  EXPECT_EQ(steps_for(ring(1000, 40)), 2);  // degree 80
  Dataset none = ring(10, 1);
  none.edges = {};
  EXPECT_EQ(steps_for(none), 2);
  Dataset few = ring(100, 1);  // a single edge for a hundred nodes
  few.edges.source.resize(1), few.edges.target.resize(1);
  EXPECT_EQ(steps_for(few), 6);
}

TEST(PrepareTest, AnEdgeCountsOnceHoweverItIsGiven) {
  Dataset twice = ring(100, 2);
  twice.edges.source.insert(twice.edges.source.end(), 400, 0);
  twice.edges.target.insert(twice.edges.target.end(), 400, 1);
  EXPECT_EQ(steps_for(twice), steps_for(ring(100, 2)));
}

Csr matrix(Index rows, Index cols, const std::vector<NodeId>& row, const std::vector<NodeId>& col,
           const std::vector<float>& value) {
  return csr_from_triplets(rows, cols, row, col, value, Dup::kSum);
}

TEST(PrepareTest, SparseFeaturesThatAreNotNegativeCountAsPresent) {
  EXPECT_EQ(values_for(matrix(2, 4, {0, 0, 1}, {0, 1, 2}, {0.5f, 3, 7})), "presence");
  EXPECT_EQ(values_for(matrix(2, 4, {0, 0, 1}, {0, 1, 2}, {0.5f, -3, 7})), "stored");
  EXPECT_EQ(values_for(matrix(2, 2, {0, 0, 1}, {0, 1, 1}, {0.5f, 3, 7})), "stored");  // dense
  EXPECT_EQ(values_for(Csr{}), "stored");
}

TEST(PrepareTest, PresenceIsWhatTheModelAndTheFeatureGraphSee) {
  Dataset data;
  data.nodes = 3;
  // By value node 0 is nearer to 1, by what is there to 2.
  data.features =
      matrix(3, 6, {0, 0, 0, 0, 1, 2, 2, 2}, {0, 1, 2, 4, 0, 1, 2, 3}, {9, 1, 1, 0, 4, 1, 1, 5});
  const auto nearest_of_0 = [&](const std::string& values) {
    return feature_neighbours(data, {.k = 1, .feature_values = values}).id[0];
  };
  EXPECT_EQ(nearest_of_0("stored"), 1);
  EXPECT_EQ(nearest_of_0("presence"), 2);
  EXPECT_EQ(nearest_of_0("auto"), 2);
  const auto first_value = [&](const GraphOptions& o) {
    return prepare(data, o, kNoGraph).X.A.val[0];
  };
  EXPECT_EQ(first_value({.feature_values = "stored"}), 9);
  EXPECT_EQ(first_value({.feature_values = "presence"}), 1);
  EXPECT_NEAR(first_value({.feature_values = "auto", .feature_norm = "l2"}), 1 / std::sqrt(3),
              1e-6);
}

TEST(PrepareTest, RareFeaturesDecideWhoIsNearIfTheyAreToldTo) {
  Dataset data;
  data.nodes = 5;
  // Node 0 shares the features 0 and 1 with 1, which most have, and 2 with node 2, which nobody
  // else has. All have the last one: it says nothing, and of node 4 there is nothing else to say.
  data.features = csr_from_triplets(
      5, 4, std::vector<NodeId>{0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 4},
      std::vector<NodeId>{0, 1, 2, 3, 0, 1, 3, 2, 3, 0, 1, 3, 3}, {}, Dup::kBinary);
  const auto nearest_of_0 = [&](double rarity) {
    return feature_neighbours(data, {.k = 1, .rarity = rarity}).id[0];
  };
  EXPECT_EQ(nearest_of_0(0), 1);
  EXPECT_EQ(nearest_of_0(2), 2);
  const Csr X = searched_features(data.features, {.rarity = 0.5});
  EXPECT_NEAR(X.val[0], std::sqrt(std::log(5 / 3.0)), 1e-6);
  EXPECT_NEAR(X.val[2], std::sqrt(std::log(5 / 2.0)), 1e-6);
  EXPECT_EQ(X.val[3], 0.0f);
  const Neighbours found = feature_neighbours(data, {.k = 2, .rarity = 1});
  EXPECT_EQ(found.id[8], -1);  // node 4 is like nobody
  EXPECT_EQ(found.id[9], -1);
}

// n nodes of `words` words each, of 1000.
Csr texts(Index n, Index words) {
  std::vector<NodeId> rows, cols;
  for (Index i = 0; i < n; ++i)
    for (Index w = 0; w < words; ++w) {
      rows.push_back(static_cast<NodeId>(i));
      cols.push_back(static_cast<NodeId>((i * i + 7 * w) % 1000));
    }
  return csr_from_triplets(n, 1000, rows, cols, {}, Dup::kBinary);
}

TEST(PrepareTest, NodesOfManyWordsAreComparedInDirections) {
  EXPECT_EQ(rarity_for(texts(100, 64)), 1.5);
  EXPECT_EQ(directions_for(texts(100, 64)), 48);
  EXPECT_EQ(rarity_for(texts(100, 63)), 0);
  EXPECT_EQ(directions_for(texts(100, 63)), 0);
  EXPECT_EQ(directions_for(Csr{}), 0);
  Csr signs = texts(100, 64);  // no words: what all have would count for nothing
  signs.val[0] = -1;
  EXPECT_EQ(rarity_for(signs), 0);
  EXPECT_EQ(directions_for(signs), 0);

  const Csr many = texts(100, 64), few = texts(100, 63);
  const GraphOptions by_rule = {.rarity = {}, .directions = {}, .feature_values = "auto"};
  const GraphOptions chosen = {.rarity = 1.5, .directions = 48};
  EXPECT_EQ(searched_features(many, by_rule).cols, 48);
  EXPECT_EQ(searched_features(many, by_rule).val, searched_features(many, chosen).val);
  EXPECT_EQ(comparison_of(many, by_rule), comparison_of(many, chosen));
  EXPECT_NE(comparison_of(few, by_rule), comparison_of(few, chosen));
  EXPECT_FALSE(compares_as_stored(many, by_rule));
  EXPECT_TRUE(compares_as_stored(few, by_rule));
  EXPECT_EQ(searched_features(many, {.directions = 5}).cols, 5);
}

TEST(PrepareTest, TheSearchIsChosenByWhatIsSearched) {
  // Products of 48 numbers are few, those of the features themselves may be many.
  EXPECT_LT(exact_work(1000, 48), exact_work(texts(1000, 900)));
  EXPECT_GT(exact_work(200000, 48), 10 * exact_work(50000, 48));
  const GraphOptions in_directions = {.directions = 48};
  EXPECT_EQ(search_work(texts(1000, 900), in_directions), exact_work(1000, 48));
  EXPECT_EQ(search_work(texts(1000, 900), {}), exact_work(texts(1000, 900)));
  EXPECT_FALSE(searches_approximately(texts(100, 64), in_directions));
  EXPECT_TRUE(
      searches_approximately(texts(100, 64), {.knn_search = "approximate", .directions = 48}));
}

TEST(PrepareTest, RowsAreAsLongAsNodesHaveFeatures) {
  const Dataset data = ring(100, 1);
  EXPECT_DOUBLE_EQ(row_length_for(data.features), 0.5);  // 32 of 64
  EXPECT_EQ(row_length_for(Csr{}), 1);
  const std::vector<NodeId> first = {0};
  EXPECT_EQ(row_length_for(csr_from_triplets(3, 5, first, first, {}, Dup::kBinary)), 0.25);
  const auto length_of_first_row = [&](const GraphOptions& o) {
    double sum = 0;
    const Operands operands = prepare(data, o, kNoGraph);
    for (const float v : operands.X.A.row_vals(0)) sum += static_cast<double>(v) * v;
    return std::sqrt(sum);
  };
  EXPECT_NEAR(length_of_first_row({.feature_norm = "l2"}), 1, 1e-6);
  EXPECT_NEAR(length_of_first_row({.feature_norm = "l2", .row_length = 3}), 3, 1e-6);
  EXPECT_NEAR(length_of_first_row({.feature_norm = "l2", .row_length = std::nullopt}), 0.5, 1e-6);
}

}  // namespace
}  // namespace scrl
