#include "train/searched_features.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "points/knn.h"
#include "points/latent.h"

namespace scrl {
namespace {

bool many_words(const Csr& features) {
  constexpr Index kMany = 64;
  return features.nnz() >= kMany * std::max<Index>(1, features.rows) &&
         values_for(features) == "presence";
}

double rarity_in(const Csr& features, const GraphOptions& o) {
  return o.rarity ? *o.rarity : rarity_for(features);
}

int directions_in(const Csr& features, const GraphOptions& o) {
  return o.directions ? *o.directions : directions_for(features);
}

// Every value times log(n / nodes that have its feature)^power.
Csr weighed_by_rarity(Csr X, double power) {
  std::vector<double> weight(static_cast<std::size_t>(X.cols), 0.0);
  for (Index e = 0; e < X.nnz(); ++e)
    if (X.val[e] != 0) ++weight[static_cast<std::size_t>(X.col[e])];
  for (double& w : weight)
    if (w > 0) w = std::pow(std::log(static_cast<double>(X.rows) / w), power);
  for (Index e = 0; e < X.nnz(); ++e)
    X.val[e] = static_cast<float>(X.val[e] * weight[static_cast<std::size_t>(X.col[e])]);
  return X;
}

}  // namespace

std::string values_for(const Csr& features) {
  const double entries = static_cast<double>(features.rows) * static_cast<double>(features.cols);
  const bool sparse = static_cast<double>(features.nnz()) < entries / 2;
  const bool negative = std::ranges::any_of(features.val, [](float v) { return v < 0; });
  return sparse && !negative ? "presence" : "stored";
}

double rarity_for(const Csr& features) { return many_words(features) ? 1.5 : 0; }

int directions_for(const Csr& features) { return many_words(features) ? 48 : 0; }

bool counts_presence(const Csr& features, const GraphOptions& o) {
  const bool wanted = o.feature_values == "presence" ||
                      (o.feature_values == "auto" && values_for(features) == "presence");
  return wanted && std::ranges::any_of(features.val, [](float v) { return v != 1; });
}

Csr presence(Csr X) {
  for (float& v : X.val) v = v != 0 ? 1.0f : 0.0f;  // a file may store zeros
  return X;
}

bool compares_as_stored(const Csr& features, const GraphOptions& o) {
  return rarity_in(features, o) == 0 && directions_in(features, o) == 0 &&
         !counts_presence(features, o);
}

Csr searched_features(const Csr& features, const GraphOptions& o) {
  const double rarity = rarity_in(features, o);
  const int directions = directions_in(features, o);
  Csr X = counts_presence(features, o) ? presence(features) : features;
  if (rarity != 0) X = weighed_by_rarity(std::move(X), rarity);
  return directions == 0 ? X : latent_rows(X, directions);
}

std::string comparison_of(const Csr& features, const GraphOptions& o) {
  return cat(counts_presence(features, o) ? "presence" : "stored", " rarity ",
             rarity_in(features, o), " directions ", directions_in(features, o));
}

double search_work(const Csr& features, const GraphOptions& o) {
  const int directions = directions_in(features, o);
  return directions == 0 ? exact_work(features) : exact_work(features.rows, directions);
}

bool searches_approximately(const Csr& features, const GraphOptions& o) {
  if (o.knn_search != "auto") return o.knn_search == "approximate";
  return search_work(features, o) > kWorkOfAMinute;
}

}  // namespace scrl
