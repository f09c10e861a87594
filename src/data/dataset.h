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

// Throws Error(kData) when the parts do not fit together (sizes, ranges, overlapping splits).
void validate(const Dataset& data);

}  // namespace scrl
