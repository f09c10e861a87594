// points/latent.h: rows of a sparse matrix by what their columns have in common.
//
//   U = X with rows of length 1,   V = its leading right singular vectors,   result = U V
//
// Columns that occur in the same rows, as words of one subject do, fall into one direction; what is
// only chance falls into the many directions that are left out. So rows can be near each other
// without a column in common (latent semantic analysis; Deerwester et al., "Indexing by Latent
// Semantic Analysis", JASIS 1990).
#pragma once
#include "base/types.h"
#include "tensor/csr.h"

namespace scrl {

// rows x directions; without stored zeros, so an empty row stays empty. No more directions are used
// than X has columns. Time: O(nnz directions + columns directions^2), memory beside the result:
// O((rows + columns) directions). The same bits for any number of threads.
// REQUIRES: directions >= 1.
Csr latent_rows(const Csr& X, Index directions);

}  // namespace scrl
