// neighbors/lsa.h: rows of a sparse matrix by what their columns have in common.
//
//   U = X with rows of length 1,   V = its leading right singular vectors,   result = U V
//
// Columns that occur in the same rows, as words of one subject do, fall into one direction; what is
// only chance falls into the many rank that are left out. So rows can be near each other
// without a column in common (latent semantic analysis; Deerwester et al., "Indexing by Latent
// Semantic Analysis", JASIS 1990).
#pragma once
#include "base/types.h"
#include "tensor/csr.h"
#include "tensor/matrix.h"

namespace scrl {

// rows x rank; without stored zeros, so an empty row stays empty. No more rank are used
// than X has columns. Time: O(nnz rank + columns rank^2), memory beside the result:
// O((rows + columns) rank). The same bits for any number of threads.
// REQUIRES: rank >= 1.
// `directions`, if given, gets V.
Csr lsa_rows(const Csr& X, Index rank, Matrix* directions = nullptr);

// Other rows in the same directions; what becomes of a row does not depend on the others.
Csr lsa_project(const Csr& X, const Matrix& directions, Index rank);

}  // namespace scrl
