#include "train/searched_features.h"

#include <algorithm>
#include <cmath>

#include "base/error.h"
#include "neighbors/knn.h"
#include "neighbors/lsa.h"

namespace scrl {
namespace {

constexpr double kIdfExponent = 1.5;

std::vector<double> idf_weights(const Csr& X) {
  std::vector<double> weight(static_cast<std::size_t>(X.cols), 0.0);
  for (Index e = 0; e < X.nnz(); ++e)
    if (X.val[e] != 0) ++weight[static_cast<std::size_t>(X.col[e])];
  for (double& w : weight)
    if (w > 0) w = std::pow(std::log(static_cast<double>(X.rows) / w), kIdfExponent);
  return weight;
}

Csr weighted(Csr X, const std::vector<double>& weight) {
  for (Index e = 0; e < X.nnz(); ++e)
    X.val[e] = static_cast<float>(X.val[e] * weight[static_cast<std::size_t>(X.col[e])]);
  return X;
}

}  // namespace

bool are_counts(const CsrView& features) {
  const double entries = static_cast<double>(features.rows) * static_cast<double>(features.cols);
  const bool sparse = static_cast<double>(features.nnz()) < entries / 2;
  return sparse && std::ranges::none_of(features.val, [](float v) { return v < 0; });
}

bool binarizes(const CsrView& features, const GraphOptions& o) {
  const bool wanted =
      o.binarize == Binarize::kTrue || (o.binarize == Binarize::kAuto && are_counts(features));
  return wanted && std::ranges::any_of(features.val, [](float v) { return v != 1; });
}

Csr binarized(Csr X) {
  for (float& v : X.val) v = v != 0 ? 1.0f : 0.0f;  // a file may store zeros
  return X;
}

bool compares_as_stored(const CsrView& features, const GraphOptions& o) {
  return o.lsa_rank == 0 && !binarizes(features, o);
}

Csr searched_features(const CsrView& features, const GraphOptions& o, SearchSpace* space) {
  Csr X = binarizes(features, o) ? binarized(own_copy(features)) : own_copy(features);
  if (o.lsa_rank == 0) return X;
  std::vector<double> idf = idf_weights(X);
  X = weighted(std::move(X), idf);
  if (space) space->idf = std::move(idf);
  return lsa_rows(X, o.lsa_rank, space ? &space->directions : nullptr);
}

Csr searched_features(const CsrView& features, const GraphOptions& o, const SearchSpace& space) {
  Csr X = binarizes(features, o) ? binarized(own_copy(features)) : own_copy(features);
  if (o.lsa_rank == 0) return X;
  return lsa_project(weighted(std::move(X), space.idf), space.directions, o.lsa_rank);
}

double search_work(const CsrView& features, const GraphOptions& o) {
  return o.lsa_rank == 0 ? exact_work(features) : exact_work(features.rows, o.lsa_rank);
}

bool searches_approximately(const CsrView& features, const GraphOptions& o) {
  if (o.knn_search != KnnSearch::kAuto) return o.knn_search == KnnSearch::kApproximate;
  return search_work(features, o) > kWorkOfAMinute;
}

}  // namespace scrl
