#include "train/prepare.h"

#include <gtest/gtest.h>

#include <cmath>

namespace scrl {
namespace {

Csr matrix(Index rows, Index cols, const std::vector<NodeId>& row, const std::vector<NodeId>& col,
           const std::vector<float>& value) {
  return csr_from_triplets(rows, cols, row, col, value, Dup::kSum);
}

TEST(PrepareTest, SparseFeaturesThatAreNotNegativeAreCounts) {
  EXPECT_TRUE(are_counts(matrix(2, 4, {0, 0, 1}, {0, 1, 2}, {0.5f, 3, 7})));
  EXPECT_FALSE(are_counts(matrix(2, 4, {0, 0, 1}, {0, 1, 2}, {0.5f, -3, 7})));
  EXPECT_FALSE(are_counts(matrix(2, 2, {0, 0, 1}, {0, 1, 1}, {0.5f, 3, 7})));  // dense
  EXPECT_FALSE(are_counts(Csr{}));
}

TEST(PrepareTest, TheModelAndTheFeatureGraphSeeBinarizedFeatures) {
  Dataset data;
  data.nodes = 3;
  // By value node 0 is nearer to 1, by what is there to 2.
  data.features =
      matrix(3, 6, {0, 0, 0, 0, 1, 2, 2, 2}, {0, 1, 2, 4, 0, 1, 2, 3}, {9, 1, 1, 0, 4, 1, 1, 5});
  const auto nearest_of_0 = [&](Binarize values) {
    return feature_neighbours(data, {.k = 1, .binarize = values}).id[0];
  };
  EXPECT_EQ(nearest_of_0(Binarize::kFalse), 1);
  EXPECT_EQ(nearest_of_0(Binarize::kTrue), 2);
  EXPECT_EQ(nearest_of_0(Binarize::kAuto), 2);
  const auto first_value = [&](const GraphOptions& o) {
    return prepare(data, o, kNoGraph).X.A.val[0];
  };
  EXPECT_EQ(first_value({.binarize = Binarize::kFalse}), 9);
  EXPECT_EQ(first_value({.binarize = Binarize::kTrue}), 1);
  EXPECT_NEAR(first_value({.binarize = Binarize::kAuto, .feature_norm = FeatureNorm::kL2}),
              1 / std::sqrt(3), 1e-6);
}

TEST(PrepareTest, RowsAreScaledByTheSizeOfTheirValues) {
  Dataset data;
  data.nodes = 2;
  data.features = matrix(2, 3, {0, 0, 0, 1}, {0, 1, 2, 1}, {3, -2, -1, -4});
  const auto values = [&](FeatureNorm norm) {
    return model_features(data.features, {.binarize = Binarize::kFalse, .feature_norm = norm}).val;
  };
  EXPECT_EQ(values(FeatureNorm::kL1), (std::vector<float>{0.5f, -2 / 6.0f, -1 / 6.0f, -1}));
  EXPECT_EQ(values(FeatureNorm::kL2)[3], -1);
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

TEST(PrepareTest, LsaWeighsRareFeaturesAndComparesInLeadingDirections) {
  const Csr many = texts(100, 64);
  EXPECT_EQ(searched_features(many, {.lsa_rank = 5}).cols, 5);
  EXPECT_EQ(searched_features(many, {}).val, many.val);
  EXPECT_TRUE(compares_as_stored(many, {}));
  EXPECT_FALSE(compares_as_stored(many, {.lsa_rank = 5}));
  Dataset data;
  data.nodes = 5;
  // Node 0 shares the features 0 and 1 with 1, which most have, and 2 with node 2, which nobody
  // else has. All have the last one: it says nothing, and of node 4 there is nothing else to say.
  data.features = csr_from_triplets(
      5, 4, std::vector<NodeId>{0, 0, 0, 0, 1, 1, 1, 2, 2, 3, 3, 3, 4},
      std::vector<NodeId>{0, 1, 2, 3, 0, 1, 3, 2, 3, 0, 1, 3, 3}, {}, Dup::kBinary);
  EXPECT_EQ(feature_neighbours(data, {.k = 1}).id[0], 1);
  EXPECT_EQ(feature_neighbours(data, {.k = 1, .lsa_rank = 3}).id[0], 2);
}

TEST(PrepareTest, TheSearchIsChosenByWhatIsSearched) {
  // Products of 48 numbers are few, those of the features themselves may be many.
  EXPECT_LT(exact_work(1000, 48), exact_work(texts(1000, 900)));
  EXPECT_GT(exact_work(200000, 48), 10 * exact_work(50000, 48));
  const GraphOptions in_directions = {.lsa_rank = 48};
  EXPECT_EQ(search_work(texts(1000, 900), in_directions), exact_work(1000, 48));
  EXPECT_EQ(search_work(texts(1000, 900), {}), exact_work(texts(1000, 900)));
  EXPECT_FALSE(searches_approximately(texts(100, 64), in_directions));
  EXPECT_TRUE(searches_approximately(texts(100, 64),
                                     {.knn_search = KnnSearch::kApproximate, .lsa_rank = 48}));
}

}  // namespace
}  // namespace scrl
