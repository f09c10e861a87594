// train/searched_features.h: the features as nodes are compared by when the feature graph is built.
//
//   1. binarize   stored values, or 1 for each of them
//   2. lsa_rank   latent semantic analysis: a feature weighs idf^1.5, idf = log(n / nodes that have
//                 it), and nodes are compared in the leading singular directions (neighbors/lsa.h)
// feature_norm has no part in it: the length of a row does not change a cosine.
#pragma once
#include <vector>

#include "tensor/csr.h"
#include "tensor/matrix.h"
#include "train/options.h"

namespace scrl {

// What binarize = auto means, a matter of type: word counts are sparse and not negative.
bool are_counts(const CsrView& features);

// Whether the options replace stored values, which takes a copy.
bool binarizes(const CsrView& features, const GraphOptions& o);
Csr binarized(Csr X);

// Whether nodes are compared by the stored features, which saves one.
bool compares_as_stored(const CsrView& features, const GraphOptions& o);
// What other rows are taken into the same space by; only lsa_rank needs any.
struct SearchSpace {
  std::vector<double> idf;  // weight of each column
  Matrix directions;        // lsa_rows()
};
// `space`, if given, is filled.
Csr searched_features(const CsrView& features, const GraphOptions& o, SearchSpace* space = nullptr);
// Other rows with the same columns, in the space of those that filled it.
Csr searched_features(const CsrView& features, const GraphOptions& o, const SearchSpace& space);

// What an exact search among them has to do, in products (neighbors/knn.h).
double search_work(const CsrView& features, const GraphOptions& o);
// Whether knn_search means the approximate search for these features.
bool searches_approximately(const CsrView& features, const GraphOptions& o);

}  // namespace scrl
