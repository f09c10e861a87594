#include "walks/alias.h"

#include <gtest/gtest.h>

#include <cmath>

#include "base/error.h"
#include "base/rng.h"

namespace scrl {
namespace {

// Each frequency within five standard deviations of what it should be.
void expect_frequencies(const std::vector<double>& weights) {
  const AliasTable table(weights);
  double total = 0.0;
  for (const double w : weights) total += w;
  const int draws = 200'000;
  std::vector<int> seen(weights.size());
  Rng rng(7);
  for (int k = 0; k < draws; ++k) ++seen[table.draw(rng.next())];
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double p = weights[i] / total;
    EXPECT_NEAR(seen[i], draws * p, 5.0 * std::sqrt(draws * p * (1.0 - p)) + 1e-9) << "slot " << i;
  }
}

TEST(AliasTest, FrequenciesFollowTheWeights) {
  expect_frequencies({1, 2, 3, 4});
  expect_frequencies({1, 1, 1, 1, 1});
  expect_frequencies({1000, 1, 1, 1});
  expect_frequencies({0, 5, 0, 1, 0});  // and what weighs nothing never comes up
  expect_frequencies({0.1});
  std::vector<double> many;
  for (int i = 0; i < 500; ++i) many.push_back(std::pow(i % 37, 0.75));
  expect_frequencies(many);
}

TEST(AliasTest, EndsOfTheRange) {
  const AliasTable table(std::vector<double>{1, 3});
  EXPECT_EQ(table.draw(0), 0);
  EXPECT_EQ(table.draw(UINT64_MAX), 1);
  EXPECT_EQ(table.size(), 2);
}

TEST(AliasTest, WeightsThatMakeNoSense) {
  EXPECT_THROW(AliasTable(std::vector<double>{}), Error);
  EXPECT_THROW(AliasTable(std::vector<double>{0, 0}), Error);
  EXPECT_THROW(AliasTable(std::vector<double>{1, -1}), Error);
  EXPECT_THROW(AliasTable(std::vector<double>{1, NAN}), Error);
}

}  // namespace
}  // namespace scrl
