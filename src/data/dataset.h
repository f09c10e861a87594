// data/dataset.h: what the readers promise about a Dataset (scrl/dataset.h).
#pragma once
#include <string>

#include "base/types.h"
#include "scrl/dataset.h"
#include "tensor/csr.h"

namespace scrl {

// 32 hex digits over everything that can influence a result (sizes, ids, edges, features, labels,
// classes, splits, kNN files); equal content gives equal fingerprints whatever the file format.
std::string fingerprint(const Dataset& data);

// Where load_dataset would read `what` from, without reading it: a path, or "demo...". Throws
// Error(kData) when there is no such data set.
std::string dataset_path(const std::string& what);

// The same data with arrays of its own in place of those that are lent.
Dataset with_own_arrays(Dataset data);

// The two large parts, whoever they belong to.
inline CsrView features_of(const Dataset& data) {
  return data.lent_features ? *data.lent_features : CsrView(data.features);
}
inline Index edge_count(const Dataset& data) {
  return data.lent_edges ? data.lent_edges->nnz() : data.edges.size();
}

// Throws Error(kData) when the parts do not fit together (sizes, ranges, overlapping splits).
void validate(const Dataset& data);

}  // namespace scrl
