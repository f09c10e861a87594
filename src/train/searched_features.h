// train/searched_features.h: the features as nodes are compared by when the feature graph is built.
//
//   1. feature_values  stored values, or 1 for each of them
//   2. rarity          a feature weighs log(n / nodes that have it)^rarity: what few nodes have in
//                      common says more than what most have
//   3. directions      nodes are then compared in the leading directions (points/latent.h)
// feature_norm has no part in it: the length of a row does not change a cosine.
#pragma once
#include "tensor/csr.h"
#include "train/options.h"

namespace scrl {

// What "auto" stands for.
//   feature_values  "presence" where features are sparse and not negative, as words of a text are:
//                   that one occurs says more than how often or how rare it is; otherwise "stored"
//   rarity          1.5 and
//   directions      48 where these features are 64 or more for a node in the mean: among so many
//                   most of what two nodes share is common to all or chance. Otherwise 0, and the
//                   few features there are count singly and alike
std::string values_for(const Csr& features);
double rarity_for(const Csr& features);
int directions_for(const Csr& features);

// Whether the options replace stored values, which takes a copy.
bool counts_presence(const Csr& features, const GraphOptions& o);
Csr presence(Csr X);

// Whether nodes are compared by the stored features, which saves one.
bool compares_as_stored(const Csr& features, const GraphOptions& o);
Csr searched_features(const Csr& features, const GraphOptions& o);
// The same text for options that come to the same.
std::string comparison_of(const Csr& features, const GraphOptions& o);

// What an exact search among them has to do, in products (points/knn.h).
double search_work(const Csr& features, const GraphOptions& o);
// Whether knn_search means the approximate search for these features.
bool searches_approximately(const Csr& features, const GraphOptions& o);

}  // namespace scrl
